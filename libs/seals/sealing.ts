import { setTimeout as delay } from 'node:timers/promises';
import { thrownText } from '#lib/kernel';
import { type EventLog, sequenceOf } from '#lib/event-store';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { MOST_ADDED } from './seal.js';
import type { Sealer } from './sealer.js';

/** The longest time until a new event is sealed, while a process runs. */
const EVERY_MS = 60_000;
const LOOK_MS = 5_000;

interface Parts {
  readonly log: EventLog;
  readonly holder: LeaseHolder;
  readonly sealer: Sealer;
  /** Called once each time that sealing begins to fail. */
  readonly warn: (message: string) => void;
}

/**
 * Seals the log while the engine runs, in one process at a time and not within commands; by real time, also if the engine has another clock.
 */
export class Sealing {
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** The head up to which this process has sealed. */
  #seen: string | undefined;
  #lookedAt = 0;
  #hasFailed = false;

  constructor(private readonly parts: Parts) {}

  start(): void {
    this.#lookedAt = performance.now();
    this.#running = this.#run();
  }

  /** Waits for the current seal, also of a command. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.parts.sealer.stop();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look().catch((error: unknown) => this.#failed(error));
    }
  }

  async #look(): Promise<void> {
    const { log, holder, sealer } = this.parts;
    const head = await log.store.head();
    if (head === undefined || head === this.#seen || !this.#isDue(head)) return;
    this.#lookedAt = performance.now();
    // If another process seals, it seals the new events.
    const turn = await underLease(holder, 'sealer', () => sealer.seal());
    if (turn) this.#seen = head;
    this.#hasFailed = false;
  }

  #isDue(head: string): boolean {
    const { log } = this.parts;
    if (performance.now() - this.#lookedAt >= EVERY_MS) return true;
    if (log.store.positionsAreGapFree !== true || this.#seen === undefined) return false;
    const { logId } = log.store;
    return sequenceOf(logId, head) - sequenceOf(logId, this.#seen) >= MOST_ADDED;
  }

  #failed(error: unknown): void {
    const why = thrownText(error);
    if (!this.#hasFailed && !this.#stopping.signal.aborted)
      this.parts.warn(`The log is not sealed: ${why}. It is tried again.`);
    this.#hasFailed = true;
  }
}
