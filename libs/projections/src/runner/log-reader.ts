import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import { LogEvent } from './log-event.js';

const PAGE = 256;
const PAGES_KEPT = 2;

/**
 * The log as the projections of one process read it. While they catch up they go through it side by side, so each page is
 * read once for all of them; one that falls behind the others reads for itself.
 */
export class LogReader {
  readonly #pages = new Map<string, Promise<readonly LogEvent[]>>();

  constructor(private readonly log: EventLog) {}

  /**
   * The next events after a position ("": from the start); none at the end. A page that was read before the log grew is
   * short, and still right: what came since is in the next one.
   */
  pageAfter(position: string): Promise<readonly LogEvent[]> {
    const known = this.#pages.get(position);
    if (known) return known;
    const reading = this.#read(position);
    this.#pages.set(position, reading);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_KEPT && oldest !== undefined) this.#pages.delete(oldest);
    return reading;
  }

  /** Every event after a position ("": from the start), then those to come. @throws StoreUnavailable once the log is closed */
  async *follow(position: string, signal: AbortSignal): AsyncGenerator<readonly LogEvent[]> {
    for await (const batch of this.log.store.subscribe(positionOf(position), signal)) {
      yield this.#events(batch);
    }
    // Closed: reading says so in the store's own words.
    if (!signal.aborted) await this.log.store.head();
  }

  async #read(position: string): Promise<readonly LogEvent[]> {
    const from = positionOf(position);
    try {
      return this.#events(await this.log.store.readAll({ limit: PAGE, ...(from && { from }) }));
    } catch (error) {
      this.#pages.delete(position);
      throw error;
    }
  }

  #events(batch: readonly StoredEvent[]): readonly LogEvent[] {
    return batch.map((stored) => new LogEvent(stored, this.log));
  }
}

function positionOf(checkpoint: string): Position | undefined {
  return checkpoint === '' ? undefined : (checkpoint as Position);
}
