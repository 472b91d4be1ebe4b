import type { EventLog, StoredEvent } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';

/** An event of the log as several projections look at it: what one of them has found out, the others need not. */
export class LogEvent {
  /** The category of its stream; `undefined` for a foreign stream. */
  readonly streamName: ReturnType<EventLog['streams']['parse']>;
  #decoded: RecordedEvent | undefined;

  constructor(
    readonly stored: StoredEvent,
    private readonly log: EventLog,
  ) {
    this.streamName = log.streams.parse(stored.stream);
  }

  /** Whether parts of it are stored apart from it: then `whole` comes before `decoded`. @throws UndecodableEvent */
  hasBlobs(): boolean {
    return this.log.codec.blobsOf(this.stored).length > 0;
  }

  /**
   * The same with all its parts. Another object, so that what may be large is not kept as long as the page it is on.
   * @throws UndecodableEvent @throws StoreUnavailable
   */
  async whole(): Promise<LogEvent> {
    const whole = new LogEvent(this.stored, this.log);
    whole.#decoded = await this.log.decode<Event>(this.stored);
    return whole;
  }

  /** @throws UndecodableEvent */
  decoded(): RecordedEvent {
    this.#decoded ??= this.log.codec.decode<Event>(this.stored);
    return this.#decoded;
  }
}
