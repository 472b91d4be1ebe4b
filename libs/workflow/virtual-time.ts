import { setImmediate } from 'node:timers/promises';
import type { Time } from './time.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that a test moves forward. Timers fire in order, each at its time, and the work that they start runs in between. */
export class VirtualTime implements Time {
  #now = Date.UTC(2026, 0, 2, 3, 4, 5);
  #order = 0;
  readonly #timers = new Set<Timer>();

  now(): Date {
    return new Date(this.#now);
  }

  monotonicMs(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** @param settled resolves once the work that a timer started is done, or waits for a timer itself. Default: after a turn of the event loop */
  async pass(milliseconds: number, settled: () => Promise<unknown> = () => setImmediate()): Promise<void> {
    const until = this.#now + milliseconds;
    await settled();
    for (let next = this.#nextBefore(until); next; next = this.#nextBefore(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settled();
    }
    this.#now = until;
    await settled();
  }

  #nextBefore(until: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= until);
    return due.toSorted((one, other) => one.at - other.at || one.order - other.order)[0];
  }
}
