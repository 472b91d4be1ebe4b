import type { EventLog, StoredEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';

/** An event of the log as several projections look at it: what one of them has found out, the others need not. */
export class LogEvent {
  /** What its stream is about; `undefined` for a stream of somebody else. */
  readonly place: ReturnType<EventLog['streams']['parse']>;
  #decoded: RecordedEvent | undefined;

  constructor(
    readonly stored: StoredEvent,
    private readonly log: EventLog,
  ) {
    this.place = log.streams.parse(stored.stream);
  }

  /** @throws UndecodableEvent */
  decoded(): RecordedEvent {
    this.#decoded ??= this.log.codec.decode<Event>(this.stored);
    return this.#decoded;
  }
}
