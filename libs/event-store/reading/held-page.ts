import type { StoredEvent } from '../event-store.js';
import { storedSize } from './stored-size.js';

/** The most bytes that a reader holds of a page besides the current event. */
const MOST_HELD_BYTES = 256 * 1024;
const FIRST_LIMIT = 16;

/**
 * The number of events that a reader reads at once. It bounds the bytes that a reader holds if its consumer stops. The events that it may not hold
 * are read again later, so the limit follows the sizes of the events.
 */
export class HeldPage {
  #limit: number;

  constructor(private readonly most: number) {
    this.#limit = Math.min(FIRST_LIMIT, most);
  }

  get limit(): number {
    return this.#limit;
  }

  /** The first events of a page that was read with this limit, at least one. */
  of(page: readonly StoredEvent[]): readonly StoredEvent[] {
    let bytes = 0;
    let fit = 0;
    for (const event of page) {
      bytes += storedSize(event);
      if (fit > 0 && bytes > MOST_HELD_BYTES) break;
      fit += 1;
    }
    const average = bytes / Math.min(fit + 1, page.length);
    const fitting = Math.floor(MOST_HELD_BYTES / average);
    if (page.length > 0) this.#limit = Math.max(1, Math.min(fitting, this.#limit * 2, this.most));
    return fit === page.length ? page : page.slice(0, fit);
  }
}
