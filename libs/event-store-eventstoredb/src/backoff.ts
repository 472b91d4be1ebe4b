import { setTimeout } from 'node:timers/promises';

const FIRST_MS = 50;
const LONGEST_MS = 5_000;

/** Ever longer pauses between attempts, a little at random so that many clients do not come back in step. */
export class Backoff {
  #next = FIRST_MS;

  /** Ends early, without an error, when the signal aborts. */
  async pause(signal?: AbortSignal): Promise<void> {
    const length = this.#next * (0.75 + Math.random() / 2);
    this.#next = Math.min(this.#next * 2, LONGEST_MS);
    await setTimeout(length, undefined, { signal, ref: signal === undefined }).catch(() => undefined);
  }

  /** It works again. */
  reset(): void {
    this.#next = FIRST_MS;
  }
}
