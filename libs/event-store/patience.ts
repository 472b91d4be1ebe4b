import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 400;

const scope = new AsyncLocalStorage<number>();

/**
 * Every call of a store within `action` gets this much time, instead of the store's own setting, to wait out temporary failures: an election, a
 * restart of the server, a writer that won. A request has less time than a background process.
 */
export function withPatience<T>(ms: number, action: () => T): T {
  return scope.run(ms, action);
}

/** The time of one call, and the growing pauses within it. The pauses are partly random, so that many clients do not retry at the same time. */
export class Patience {
  readonly #endsAt: number;
  #next = FIRST_PAUSE_MS;

  /** @param ms unless `withPatience` sets another time; `Infinity`: never gives up */
  constructor(ms: number) {
    this.#endsAt = performance.now() + (ms === Infinity ? ms : (scope.getStore() ?? ms));
  }

  get leftMs(): number {
    return Math.max(0, this.#endsAt - performance.now());
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }

  /** Ends early, without an error, when the signal aborts. A pause with a signal does not keep the process alive. */
  async pause(signal?: AbortSignal): Promise<void> {
    const length = Math.min(this.#next * (0.75 + Math.random() / 2), this.leftMs);
    this.#next = Math.min(this.#next * 2, LONGEST_PAUSE_MS);
    await setTimeout(length, undefined, { signal, ref: signal === undefined }).catch(() => undefined);
  }

  /** Makes the next pause short, because a call succeeded. */
  reset(): void {
    this.#next = FIRST_PAUSE_MS;
  }
}
