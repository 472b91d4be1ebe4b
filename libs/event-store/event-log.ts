import { setImmediate } from 'node:timers/promises';
import type { BlobReference, Event, RecordedEvent } from '#lib/kernel';
import { checkAppendSize } from './append-size.js';
import { BlobStreams } from './blobs/blob-streams.js';
import { moveLargeMembers } from './blobs/move-large-members.js';
import type { Position } from './position.js';
import { RevisionConflict } from './errors.js';
import { type BlobTexts, type EventCodec, isInTexts, type Needs, type NewEvent } from './event-codec.js';
import type {
  AppendResult,
  EventStore,
  ExpectedRevision,
  ReadStreamOptions,
  StoredEvent,
  StreamAppend,
} from './event-store.js';
import { HeldPage } from './reading/held-page.js';
import { sizeOf, textSize } from './reading/stored-size.js';
import { PastStore } from './reading/past-store.js';
import { currentReading } from './reading/readers.js';
import { RecentStreams } from './recent-streams.js';
import { StreamHistory } from './stream-history.js';
import { Keyring } from './subjects/keyring.js';
import { StreamSubjects } from './subjects/stream-subjects.js';
import { SubjectEvents } from './subjects/subject-events.js';
import type { StreamNames } from './stream-names.js';

const PAGE = 64;
/** The size from which decoding an event takes as long as answering several requests: those come first. */
const LARGE = 64 * 1024;

/** The result of an append. */
export interface Appended<E extends Event = Event> extends AppendResult {
  /**
   * The events as a reader gets them, each at its revision. Their `position` is that of the append's last event, the only one that EventStoreDB
   * gives. An append that repeats an earlier one with the same ids gives the events of this call: an id must always have the same content.
   */
  readonly events: readonly RecordedEvent<E>[];
}

/**
 * The log as the rest of Redial uses it: a store, the codec of its events, and the names of its streams. Only this class encrypts and decrypts the
 * content about subjects, moves large members into blobs and back, and keeps recent streams in memory.
 */
export class EventLog {
  readonly #blobs: BlobStreams;
  readonly #recent = new RecentStreams();
  readonly #subjects: SubjectEvents;
  readonly #streamSubjects: StreamSubjects;
  /** The position of the last event that this process appended. */
  appendedTo?: Position;

  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly streams: StreamNames,
    /** Called with each event that this process wrote. It must not throw. */
    private readonly onWritten: (event: RecordedEvent) => void = () => undefined,
    /** The keys of subjects. Without any, their streams can be neither read nor written. */
    readonly keys = new Keyring(),
  ) {
    this.#blobs = new BlobStreams(store, streams);
    this.#subjects = new SubjectEvents(codec, streams, keys);
    this.#streamSubjects = new StreamSubjects(store, codec, keys);
  }

  /** The log at an earlier position. Every stream ends with its last event up to that position. It takes no appends. */
  upTo(position: Position): EventLog {
    const store = new PastStore(this.store, position);
    return new EventLog(store, this.codec, this.streams, undefined, this.keys);
  }

  /**
   * The store's `append`. Values over 256 KiB go into blobs first, so that no event is stored before its blobs. If the append then fails,
   * unreferenced blobs stay, and a repeat finds them.
   * @throws AppendTooLarge if it does not fit even without them. No event was written then.
   */
  async append<E extends Event>(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent<E>[],
  ): Promise<Appended<E>> {
    const append = await this.#encode({ stream, expected, events });
    const fitting = await this.#fitting(append.stored);
    const [appended] = await this.#noted([append.read], async () => [
      await this.store.append(stream, expected, fitting.events),
    ]);
    return appended as Appended<E>;
  }

  /**
   * The store's `appendInOrder`: stops at the first conflict, and earlier appends stay. All blobs are written first.
   * @throws RevisionConflict @throws AppendTooLarge @throws StoreUnavailable
   */
  async appendInOrder(appends: readonly StreamAppend<NewEvent>[]): Promise<readonly Appended[]> {
    const encoded = [];
    for (const append of appends) encoded.push(await this.#encode(append));
    const fitting: StreamAppend[] = [];
    for (const { stored } of encoded) fitting.push(await this.#fitting(stored));
    return this.#noted(
      encoded.map(({ read }) => read),
      () => this.store.appendInOrder(fitting),
    );
  }

  /** @throws UndecodableEvent */
  async readStream<E extends Event>(stream: string, options?: ReadStreamOptions) {
    return this.decodeAll<E>(await this.store.readStream(stream, options));
  }

  /**
   * The events of a stream from a revision on, one after the other. Each is decoded when it is taken, once the reader of this call (`currentReading`)
   * may hold it.
   * @throws UndecodableEvent @throws StoreUnavailable @throws TooManyReaders
   */
  async *each<E extends Event>(stream: string, from = 0, limit = Infinity): AsyncGenerator<RecordedEvent<E>> {
    for await (const stored of this.eachStored(stream, from, limit)) yield await this.decodeWithin<E>(stored);
  }

  /** `each` for stored events. The bytes that are held of a page are bounded. @throws StoreUnavailable */
  async *eachStored(stream: string, from = 0, limit = Infinity): AsyncGenerator<StoredEvent, undefined> {
    const held = new HeldPage(PAGE);
    for (let next = from, end = from + limit; next < end;) {
      const asked = Math.min(held.limit, end - next);
      const found = await this.store.readStream(stream, { from: next, limit: asked });
      const page = held.of(found);
      yield* page;
      next += page.length;
      if (found.length < asked && page.length === found.length) return undefined;
      // Lets the rest of the process run, even beside a reader that never waits.
      await setImmediate();
    }
    return undefined;
  }

  /** `decode`, once the reader of this call may hold the event. @throws TooManyReaders */
  async decodeWithin<E extends Event>(stored: StoredEvent): Promise<RecordedEvent<E>> {
    const needs = this.codec.needsOf(stored);
    const size = sizeOf([stored], [needs]);
    await currentReading()?.needs(size);
    if (size > LARGE) await setImmediate();
    return this.decode<E>(stored, needs);
  }

  /**
   * A stream from its first event on, with every event that was acknowledged before this call. Events in memory are not read again: streams only grow
   * at their end.
   * @throws UndecodableEvent @throws StoreUnavailable
   */
  async load<E extends Event>(stream: string): Promise<StreamHistory<E>> {
    const known = this.known<E>(stream) ?? new StreamHistory<E>();
    const since = await this.store.readStream(stream, { from: known.revision + 1 });
    if (since.length === 0) return known;
    const needs = since.map((stored) => this.codec.needsOf(stored));
    const history = known.followedBy(await this.#decoded<E>(since, needs), sizeOf(since, needs));
    this.#recent.keep(stream, history);
    return history;
  }

  /**
   * The stream as it is in memory, without a read. Other processes append, too, so it may be only the beginning. For uses in which an old state does
   * no harm: an append at its revision, and a search for an event, whose revision never changes.
   */
  known<E extends Event>(stream: string): StreamHistory<E> | undefined {
    return this.#recent.get(stream, this.keys) as StreamHistory<E> | undefined;
  }

  /** Keeps in memory, from its first event on, a stream that is about to begin. */
  keepNew(stream: string): void {
    this.#recent.keep(stream, new StreamHistory());
  }

  /** Removes the streams about this subject from memory. */
  forget(subject: string): void {
    this.#recent.forgetAbout(subject);
  }

  /** The stream up to this revision at least, read only if it is not in memory. @throws UndecodableEvent @throws StoreUnavailable */
  async loadTo<E extends Event>(stream: string, revision: number): Promise<StreamHistory<E>> {
    const known = this.known<E>(stream);
    return known && known.revision >= revision ? known : this.load(stream);
  }

  /** The stream as this append would leave it, but without positions; `undefined` if the stream is not in memory up to the expected revision. */
  supposing({ stream, expected, events }: StreamAppend<NewEvent>): StreamHistory | undefined {
    const known = expected === 'no-stream' ? new StreamHistory() : this.known(stream);
    if (!known || (known.revision !== expected && expected !== 'no-stream')) return undefined;
    const next = known.revision + 1;
    return known.supposing(
      events.map((event, index) =>
        this.codec.decode({
          ...this.codec.encode(event, stream),
          stream,
          revision: next + index,
          position: '' as Position,
        }),
      ),
    );
  }

  /**
   * An event as the codec gives it, with its blobs and keys.
   * @param needs if they are known
   * @throws UndecodableEvent @throws KeyMissing @throws StoreUnavailable
   */
  async decode<E extends Event>(stored: StoredEvent, needs = this.codec.needsOf(stored)) {
    return (await this.#decoded<E>([stored], [needs]))[0] as RecordedEvent<E>;
  }

  /** Decodes events, in their order. A blob that several refer to is read once. @throws UndecodableEvent @throws KeyMissing @throws StoreUnavailable */
  async decodeAll<E extends Event>(batch: readonly StoredEvent[]): Promise<readonly RecordedEvent<E>[]> {
    return this.#decoded(
      batch,
      batch.map((stored) => this.codec.needsOf(stored)),
    );
  }

  async #decoded<E extends Event>(batch: readonly StoredEvent[], needs: readonly Needs[]) {
    if (needs.every(isInTexts)) return batch.map((stored) => this.codec.decode<E>(stored));
    const texts = await this.#textsOf(needs.flatMap(({ blobs }) => blobs));
    const subjects = needs.map(({ subject }) => subject);
    return this.#subjects.open(subjects, `${batch[0]?.stream} cannot be read`, (keys) =>
      batch.map((stored, index) => this.#subjects.decode<E>(stored, texts, subjects[index], keys)),
    );
  }

  /** @throws UnstorableEvent @throws KeyMissing @throws StoreUnavailable */
  async #encode({ events, ...append }: StreamAppend<NewEvent>) {
    const { stream } = append;
    await this.#streamSubjects.check({ ...append, events }, this.known(stream)?.events[0]?.metadata);
    const subjects = events.map(({ metadata }) => metadata.keyId);
    const keys = await this.#subjects.keysOf(subjects, `${stream} was not written`);
    const encoded = events.map((event) => this.#subjects.encode(event, stream, keys));
    return {
      stored: { ...append, events: encoded.map(({ stored }) => stored) },
      read: { ...append, events: encoded.map(({ read }) => read) },
    };
  }

  /** The append without its large members. They are stored as blobs once this resolves. */
  async #fitting(append: StreamAppend): Promise<StreamAppend> {
    const { stream, events } = append;
    const moved = moveLargeMembers(stream, events);
    checkAppendSize(stream, moved.events);
    for (const blob of moved.blobs) await this.#blobs.write(blob);
    return { ...append, events: moved.events };
  }

  /** Adds the written events to the streams in memory, also those before a conflict. */
  async #noted(
    appends: readonly StreamAppend[],
    write: () => Promise<readonly AppendResult[]>,
  ): Promise<readonly Appended[]> {
    try {
      return this.#appended(appends, await write());
    } catch (error) {
      if (error instanceof RevisionConflict) {
        this.#appended(appends, error.written);
        this.#distrust(error);
      }
      throw error;
    }
  }

  /** @param results of the first of these appends, or of all */
  #appended(appends: readonly StreamAppend[], results: readonly AppendResult[]): readonly Appended[] {
    return results.map(({ revision, position }, index) => {
      const { stream, events } = appends[index] as StreamAppend;
      if (position > (this.appendedTo ?? '')) this.appendedTo = position;
      const first = revision - events.length + 1;
      const recorded = events.map((event, offset) =>
        this.codec.decode({ ...event, stream, revision: first + offset, position }),
      );
      if (first === 0 && recorded[0]) this.#streamSubjects.note(stream, recorded[0].metadata);
      this.#recent.grew(stream, first, recorded, textSize(events));
      for (const event of recorded) this.onWritten(event);
      return { revision, position, events: recorded };
    });
  }

  /** Forgets a stream that is shorter than its part in memory: it is another stream. */
  #distrust({ stream, actual = -1 }: RevisionConflict): void {
    if (actual < (this.known(stream)?.revision ?? -1)) this.#recent.forget(stream);
  }

  /** The JSON text that is stored under this hash; `undefined` if it is missing or was changed. @throws StoreUnavailable */
  blobText(sha256: string): Promise<string | undefined> {
    return this.#blobs.read(sha256);
  }

  async #textsOf(blobs: readonly BlobReference[]): Promise<BlobTexts> {
    const texts = new Map<string, string | undefined>();
    for (const { sha256 } of blobs) {
      if (!texts.has(sha256)) texts.set(sha256, await this.blobText(sha256));
    }
    return texts;
  }
}
