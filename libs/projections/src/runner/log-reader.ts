import type { EventLog, Position, StoredEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';

const PAGE = 256;
const PAGES_KEPT = 2;

/**
 * The log as the projections of one process read it while they catch up. They go through it side by side, so each page is read
 * once and each event decoded once for all of them; one that falls behind the others reads for itself.
 */
export class LogReader {
  readonly #pages = new Map<string, Promise<readonly StoredEvent[]>>();
  readonly #decoded = new WeakMap<StoredEvent, RecordedEvent>();

  constructor(readonly log: EventLog) {}

  /** The next events after a position ("": from the start); none at the end. */
  async pageAfter(position: string): Promise<readonly StoredEvent[]> {
    const reading = this.#pages.get(position) ?? this.#read(position);
    const page = await reading.catch((error: unknown) => {
      this.#pages.delete(position);
      throw error;
    });
    // Only a full page will never be another one.
    if (page.length < PAGE) this.#pages.delete(position);
    return page;
  }

  /** @throws UndecodableEvent */
  decode(stored: StoredEvent): RecordedEvent {
    const known = this.#decoded.get(stored);
    if (known) return known;
    const event = this.log.codec.decode<Event>(stored);
    this.#decoded.set(stored, event);
    return event;
  }

  #read(position: string): Promise<readonly StoredEvent[]> {
    const from = position === '' ? {} : { from: position as Position };
    const reading = this.log.store.readAll({ limit: PAGE, ...from });
    this.#pages.set(position, reading);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_KEPT && oldest !== undefined) this.#pages.delete(oldest);
    return reading;
  }
}
