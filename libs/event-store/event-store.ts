import type { Position } from './position.js';

/**
 * An event to be stored. `data` and `metadata` are JSON text, kept to the letter. All texts must be well-formed Unicode (no unpaired surrogates);
 * `jsonText` escapes them.
 */
export interface EventToStore {
  /** A UUID. An id means the same event within one stream only; in another stream it is another event. */
  readonly eventId: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** An event as a store keeps it. */
export interface StoredEvent extends EventToStore {
  readonly stream: string;
  /** Index in the stream, from 0, without gaps. */
  readonly revision: number;
  readonly position: Position;
}

/** The state of the stream that a writer expects: the revision of its last event, that it exists, that it does not, or any. */
export type ExpectedRevision = number | 'no-stream' | 'stream-exists' | 'any';

/** The end of an append. */
export interface AppendResult {
  /** Revision and position of the last event of this append. */
  readonly revision: number;
  readonly position: Position;
}

/** One of several appends that are made in order. `E` is the layer's event. */
export interface StreamAppend<E = EventToStore> {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly E[];
}

/** The events of a stream that are read, and their order. */
export interface ReadStreamOptions {
  /** The first revision to give, inclusive. Default: 0 forwards, the last one backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** The most events to give. Default: all. */
  readonly limit?: number;
  /** Whether the stream probably does not exist. A store that has to ask why a stream is empty asks that at the same time. */
  readonly isLikelyNew?: boolean;
}

/** The events of the log that are read, and their order. */
export interface ReadAllOptions {
  /** Only events after this position (forwards) or before it (backwards). Default: from that end of the log. */
  readonly from?: Position;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit: number;
  /**
   * The page ends with the event at which the sum of the characters of `data` and `metadata` reaches this number. A short page may then have a next
   * one.
   */
  readonly bytes?: number;
}

/**
 * The log: streams of events in one total order. Streams of blobs (`isBlobStream`: `<prefix>blob-<hash>`) are appended to and read as any other, but
 * `readAll`, `subscribe` and `head` leave them out: a reader that follows the log does not load blobs. A suite of tests
 * (`describeEventStoreContract`, in `testing`) states the guarantees of every adapter, and each adapter runs it.
 */
export interface EventStore {
  /** The name of this log and the first part of each of its positions. It never changes. */
  readonly logId: string;

  /**
   * True if positions are numbered without gaps, so that two positions tell the number of events between them. Events of blobs have positions, too,
   * and `readAll` leaves them out.
   */
  readonly positionsAreGapFree?: boolean;

  /** True if each read waits for an answer over a network. Expected reads are then sent at once. */
  readonly isRemote?: boolean;

  /**
   * Appends all events, or none, and answers once they are durable. The events keep their order, with no other event between them in the stream.
   *
   * Repeating an append adds no event and gives the first answer. EventStoreDB's rule decides which append is a repeat:
   * - A revision, or `no-stream`, that the stream has passed: a repeat if the same ids follow it, in the same order. Else a conflict.
   * - `any`, `stream-exists`: a repeat if the stream holds the first id, and the others right after it. The first id only, or ids in another order,
   * are a conflict. An unknown first id makes it a new append.
   *
   * @throws RevisionConflict if the stream is not as expected.
   * @throws InvalidAppend if there are no events, or one id occurs twice among them: bugs of the caller.
   * @throws AppendTooLarge if they count more than `LARGEST_APPEND` bytes (`appendSize`).
   * @throws StoreUnavailable if the store cannot take the events (locked, full, not writable, closed).
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToStore[]): Promise<AppendResult>;

  /**
   * Makes these appends one after the other, each by the rules of `append`, and stops at the first conflict; earlier appends stay. It is not a
   * transaction over streams: the stored appends may be any first part of the list, so each first part must be a legal state. Stores on one disk make
   * all of them in one flush, and a failure of the disk leaves none; EventStoreDB makes them one by one. Repeating the whole list is safe after any
   * failure.
   *
   * @returns the result of each append, in order
   * @throws RevisionConflict with the results `written` before it
   * @throws InvalidAppend @throws AppendTooLarge for any of them, before the first is made
   * @throws StoreUnavailable after which any first part may be stored
   */
  appendInOrder(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]>;

  /** The events of a stream in order of revision, or in reverse; none if the stream does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly StoredEvent[]>;

  /**
   * The revisions of the last events of these streams, in the same order; `undefined` for a stream that does not exist. Only stores that answer this
   * much faster than they read the streams have it.
   */
  lastRevisions?(streams: readonly string[]): Promise<readonly (number | undefined)[]>;

  /**
   * The events of the whole log, without those of blobs, in order of position, or in reverse. A position beyond the head is no error: forwards no
   * event comes after it, yet.
   *
   * @throws ForeignPosition if `from` is not of this log.
   */
  readAll(options: ReadAllOptions): Promise<readonly StoredEvent[]>;

  /** The position of the last event that `readAll` gives; `undefined` if there is none. */
  head(): Promise<Position | undefined>;

  /**
   * Every event that `readAll` gives after this position, each once, in order, in batches; then new events, also those of other processes. The
   * consumer sets the pace; while it is busy no event is lost and none piles up. The first empty batch means that all stored events were given. Ends,
   * without an error, when the signal aborts or the store closes.
   *
   * @throws ForeignPosition at the first batch, if the position is not of this log.
   */
  subscribe(after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>;

  /**
   * Checks the whole store for damage, if its engine can do that. A damaged store takes no appends afterwards.
   *
   * @returns the damage, in the words of the engine; an empty list for a sound store
   */
  checkIntegrity?(): Promise<readonly string[]>;

  /**
   * Waits for running appends, then releases every resource. Afterwards `append`, `readStream`, `readAll` and `head` throw StoreUnavailable. Closing
   * twice is not an error.
   */
  close(): Promise<void>;
}
