import { setImmediate } from 'node:timers/promises';
import type { Time } from '../time.js';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that passes when a test says so. Timers fire in order, and what they start gets to run in between. */
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

  async pass(milliseconds: number): Promise<void> {
    const until = this.#now + milliseconds;
    await setImmediate();
    for (let next = this.#nextBefore(until); next; next = this.#nextBefore(until)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await setImmediate();
    }
    this.#now = until;
    await setImmediate();
  }

  #nextBefore(until: number): Timer | undefined {
    const due = [...this.#timers].filter(({ at }) => at <= until);
    return due.toSorted((one, other) => one.at - other.at || one.order - other.order)[0];
  }
}
