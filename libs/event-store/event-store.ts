import type { Position } from './position.js';

/**
 * An event as a store keeps it. `data` and `metadata` are JSON text, kept to the letter. All texts must be well-formed
 * Unicode (no unpaired surrogates); `jsonText` escapes them.
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
  /** Position in the log. */
  readonly position: Position;
}

/** The state of the stream that a writer expects: the revision of its last event, that it exists, that it does not, or any. */
export type ExpectedRevision = number | 'no-stream' | 'stream-exists' | 'any';

/** Where an append ends. */
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

/** Which events of a stream are read, in which order. */
export interface ReadStreamOptions {
  /** The first revision to give, inclusive. Default: 0 forwards, the last one backwards. */
  readonly from?: number;
  readonly direction?: 'forwards' | 'backwards';
  /** How many events at most. Default: all. */
  readonly limit?: number;
  /** Whether the stream is likely not to be there: a store that has to ask why a stream is empty asks that at the same time. */
  readonly isLikelyNew?: boolean;
}

/** Which events of the log are read, in which order. */
export interface ReadAllOptions {
  /** Only events after this position (forwards) or before it (backwards). Default: from that end of the log. */
  readonly from?: Position;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit: number;
  /** The page ends with the event with which `data` and `metadata` of all count so many characters. Then one that is short is not the last. */
  readonly bytes?: number;
}

/**
 * The log: streams of events in one total order. Streams of blobs (`isBlobStream`: `<prefix>blob-<hash>`) are appended to
 * and read as any other, but `readAll`, `subscribe` and `head` leave them out: a reader that follows the log does not load what is
 * stored apart from it. What every adapter guarantees is written as a suite
 * (`describeEventStoreContract`, in `testing`) and run by each of them.
 */
export interface EventStore {
  /** Names this log; the first part of each of its positions. Never changes. */
  readonly logId: string;

  /**
   * True if positions are numbered without gaps, so that two positions tell how many events lie between. Events of blobs have
   * positions too: if some lie between, there are fewer that `readAll` shows.
   */
  readonly positionsAreGapFree?: boolean;

  /** True if each read waits for an answer over a network: what will be read is then asked for at once. */
  readonly isRemote?: boolean;

  /**
   * Appends all events, or none, and answers once they are durable. Order: as given, nothing between them in the stream.
   *
   * Repeating an append adds nothing and answers as the first time. What a repeat is, is EventStoreDB's rule:
   * - A revision, or `no-stream`, that the stream has passed: the same ids follow it, in the same order. Else a conflict.
   * - `any`, `stream-exists`: the stream holds the first id, and the others right after it. The first id only, or ids in
   *   another order, are a conflict. An unknown first id makes it a new append.
   * @throws RevisionConflict when the stream is not as expected.
   * @throws InvalidAppend when there are no events, or one id occurs twice among them: bugs of the caller.
   * @throws AppendTooLarge when they count more than `LARGEST_APPEND` bytes (`appendSize`).
   * @throws StoreUnavailable when the store cannot take the events (locked, full, not writable, closed).
   */
  append(stream: string, expected: ExpectedRevision, events: readonly EventToStore[]): Promise<AppendResult>;

  /**
   * Makes these appends one after another, each by the rules of `append`, and stops at the first conflict: what came before it
   * stays. It is not a transaction over streams: any prefix of the list may be what is stored, so each must be a legal state.
   * Stores on one disk make all of them in one flush, where a failure of the disk leaves none of them; EventStoreDB makes them
   * one by one. Repeating the whole list is safe after any failure.
   * @returns the result of each append, in order
   * @throws RevisionConflict with what was `written` before it
   * @throws InvalidAppend @throws AppendTooLarge for any of them, before the first is made
   * @throws StoreUnavailable after which any prefix may be stored
   */
  appendInOrder(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]>;

  /** The events of a stream in order of revision, or against it; none if the stream does not exist. */
  readStream(stream: string, options?: ReadStreamOptions): Promise<readonly StoredEvent[]>;

  /**
   * The revisions of the last events of these streams, in the same order; `undefined` for a stream that does not exist. Only of a
   * store that answers this much faster than it reads the streams.
   */
  lastRevisions?(streams: readonly string[]): Promise<readonly (number | undefined)[]>;

  /**
   * Events of the whole log, but for those of blobs, in order of position, or against it. A position beyond the head is no
   * error: forwards nothing comes after it, yet.
   * @throws ForeignPosition when `from` is not of this log.
   */
  readAll(options: ReadAllOptions): Promise<readonly StoredEvent[]>;

  /** The position of the last event that `readAll` shows; `undefined` while there is none. */
  head(): Promise<Position | undefined>;

  /**
   * Every event that `readAll` shows after the given position, each once, in order, in batches, then those to come, also ones that other
   * processes append. The consumer sets the pace; while it is busy nothing is lost and nothing piles up. The first empty
   * batch says that everything has come that was there. Ends, without an error, when the signal aborts or the store closes.
   * @throws ForeignPosition at the first batch, when the position is not of this log.
   */
  subscribe(after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>;

  /**
   * Looks through the whole store for damage, if its engine has a check for that. A store in which it finds some takes no
   * appends afterwards.
   * @returns what is damaged, in the words of the engine; nothing if it is sound
   */
  checkIntegrity?(): Promise<readonly string[]>;

  /**
   * Waits for running appends, then releases every resource. Afterwards `append`, `readStream`, `readAll` and `head`
   * throw StoreUnavailable. Closing twice is not an error.
   */
  close(): Promise<void>;
}
