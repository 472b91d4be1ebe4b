import type { Clock } from '#lib/kernel';

/** A clock that stands still until it is told to go on. */
export class SettableClock implements Clock {
  #now = Date.UTC(2026, 0, 2, 3, 4, 5);

  now(): Date {
    return new Date(this.#now);
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
