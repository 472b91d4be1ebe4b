import type { Event, RecordedEvent } from '#lib/kernel';
import type { EventCodec, NewEvent } from './event-codec.js';
import type { AppendResult, EventStore, ExpectedRevision, ReadStreamOptions } from './event-store.js';
import type { StreamNames } from './stream-names.js';

/** A store, the codec of what is in it, and the names of its streams: the log as the rest of Redial uses it. */
export class EventLog {
  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly streams: StreamNames,
  ) {}

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    return this.store.append(
      stream,
      expected,
      events.map((event) => this.codec.encode(event)),
    );
  }

  /** @throws UndecodableEvent */
  async readStream<E extends Event>(
    stream: string,
    options?: ReadStreamOptions,
  ): Promise<readonly RecordedEvent<E>[]> {
    const stored = await this.store.readStream(stream, options);
    return stored.map((event) => this.codec.decode<E>(event));
  }
}
