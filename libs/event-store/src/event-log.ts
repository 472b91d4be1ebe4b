import type { BlobReference, Event, RecordedEvent } from '#lib/kernel';
import { checkAppendSize, fitsOneAppend } from './append-size.js';
import { BlobStreams } from './blobs/blob-streams.js';
import { moveLargeMembers } from './blobs/move-large-members.js';
import type { BlobTexts, EventCodec, NewEvent } from './event-codec.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  ReadStreamOptions,
  StoredEvent,
  StreamAppend,
} from './event-store.js';
import type { StreamNames } from './stream-names.js';

/** The result of an append. */
export interface Appended<E extends Event = Event> extends AppendResult {
  /**
   * The events as a reader gets them, each at its revision. Their `position` is that of the append's last event, which is all
   * that EventStoreDB answers. An append that repeats an earlier one with the same ids answers with what it was given: an id
   * must stand for one content.
   */
  readonly events: readonly RecordedEvent<E>[];
}

/**
 * A store, the codec of what is in it, and the names of its streams: the log as the rest of Redial uses it. Here, and
 * nowhere else, large members leave their events for blobs and come back.
 */
export class EventLog {
  readonly #blobs: BlobStreams;

  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly streams: StreamNames,
  ) {
    this.#blobs = new BlobStreams(store, streams);
  }

  /**
   * Like the store's `append`. Members that exceed the limit of one append go into blobs first, so that no event is stored before
   * its blobs; if the append then fails, unreferenced blobs stay, and a repeat finds them.
   * @throws AppendTooLarge when it does not fit even so. Nothing was written then.
   */
  async append<E extends Event>(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent<E>[],
  ): Promise<Appended<E>> {
    const append = this.#encode({ stream, expected, events });
    const fitting = await this.#fitting(append);
    return this.#appended(append, await this.store.append(stream, expected, fitting.events));
  }

  /**
   * As the store's `appendInOrder`: stops at the first conflict, and what came before it stays. All blobs are written first.
   * @throws RevisionConflict @throws AppendTooLarge @throws StoreUnavailable
   */
  async appendInOrder(appends: readonly StreamAppend<NewEvent>[]): Promise<readonly Appended[]> {
    const encoded = appends.map((append) => this.#encode(append));
    const fitting: StreamAppend[] = [];
    for (const append of encoded) fitting.push(await this.#fitting(append));
    const results = await this.store.appendInOrder(fitting);
    return results.map((result, index) => this.#appended(encoded[index] as StreamAppend, result));
  }

  /** @throws UndecodableEvent */
  async readStream<E extends Event>(
    stream: string,
    options?: ReadStreamOptions,
  ): Promise<readonly RecordedEvent<E>[]> {
    return this.decodeAll<E>(await this.store.readStream(stream, options));
  }

  /**
   * A stream's history from its first event on that was read before, with what came since: streams only grow at their end.
   * @throws UndecodableEvent
   */
  async readOn<E extends Event>(
    stream: string,
    history: readonly RecordedEvent<E>[],
  ): Promise<readonly RecordedEvent<E>[]> {
    const since = await this.readStream<E>(stream, { from: history.length });
    return since.length === 0 ? history : [...history, ...since];
  }

  /** An event as the codec gives it, with what is stored apart from it. @throws UndecodableEvent @throws StoreUnavailable */
  async decode<E extends Event>(stored: StoredEvent): Promise<RecordedEvent<E>> {
    const blobs = this.codec.blobsOf(stored);
    return blobs.length === 0
      ? this.codec.decode<E>(stored)
      : this.codec.decode<E>(stored, await this.#textsOf(blobs));
  }

  /** Several of them, in their order; a blob that many refer to is read once. @throws UndecodableEvent @throws StoreUnavailable */
  async decodeAll<E extends Event>(batch: readonly StoredEvent[]): Promise<readonly RecordedEvent<E>[]> {
    const blobs = batch.flatMap((stored) => this.codec.blobsOf(stored));
    const texts = blobs.length === 0 ? undefined : await this.#textsOf(blobs);
    return batch.map((stored) => this.codec.decode<E>(stored, texts));
  }

  #encode(append: StreamAppend<NewEvent>): StreamAppend {
    return { ...append, events: append.events.map((event) => this.codec.encode(event)) };
  }

  /** The append without its large members, which are stored as blobs once this resolves. */
  async #fitting(append: StreamAppend): Promise<StreamAppend> {
    const { stream, events } = append;
    if (fitsOneAppend(stream, events)) return append;
    const moved = moveLargeMembers(stream, events);
    checkAppendSize(stream, moved.events);
    for (const blob of moved.blobs) await this.#blobs.write(blob);
    return { ...append, events: moved.events };
  }

  #appended<E extends Event>({ stream, events }: StreamAppend, result: AppendResult): Appended<E> {
    const { revision, position } = result;
    const first = revision - events.length + 1;
    const recorded = events.map((event, index) =>
      this.codec.decode<E>({ ...event, stream, revision: first + index, position }),
    );
    return { revision, position, events: recorded };
  }

  async #textsOf(blobs: readonly BlobReference[]): Promise<BlobTexts> {
    const texts = new Map<string, string | undefined>();
    for (const { sha256 } of blobs) {
      if (!texts.has(sha256)) texts.set(sha256, await this.#blobs.read(sha256));
    }
    return texts;
  }
}
