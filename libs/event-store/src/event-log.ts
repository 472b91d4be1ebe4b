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
} from './event-store.js';
import type { StreamNames } from './stream-names.js';

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
   * As the store's `append`. What is more than one append may hold goes into blobs first, so that no event is stored before
   * what belongs to it; should the append then fail, blobs stay that nobody refers to, and that a repeat finds again.
   * @throws AppendTooLarge when it does not fit even so. Nothing was written then.
   */
  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<AppendResult> {
    const encoded = events.map((event) => this.codec.encode(event));
    if (fitsOneAppend(stream, encoded)) return this.store.append(stream, expected, encoded);
    const moved = moveLargeMembers(stream, encoded);
    checkAppendSize(stream, moved.events);
    for (const blob of moved.blobs) await this.#blobs.write(blob);
    return this.store.append(stream, expected, moved.events);
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

  async #textsOf(blobs: readonly BlobReference[]): Promise<BlobTexts> {
    const texts = new Map<string, string | undefined>();
    for (const { sha256 } of blobs) {
      if (!texts.has(sha256)) texts.set(sha256, await this.#blobs.read(sha256));
    }
    return texts;
  }
}
