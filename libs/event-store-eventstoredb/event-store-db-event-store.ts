import {
  appendOneByOne,
  type AppendResult,
  checkAppend,
  firstWithin,
  type EventStore,
  type EventToStore,
  type ExpectedRevision,
  formatPosition,
  InvalidAppend,
  isBlobStream,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  RevisionConflict,
  sequenceOf,
  type StoredEvent,
  StoreUnavailable,
  type StreamAppend,
} from '#lib/event-store';
import { appendByIds } from './append-by-ids.js';
import { AppendChannel } from './append-channel.js';
import { Appender } from './appender.js';
import { Connection } from './connection.js';
import { EventReader } from './event-reader.js';
import { GapNotes } from './gap-notes.js';
import { checkLog } from './log-identity.js';
import { markerStream, openMarker } from './log-marker.js';
import { LogProgress } from './log-progress.js';
import { LogReader } from './log-reader.js';
import { lastEventRequest } from './read-request.js';
import { StreamReader } from './stream-reader.js';

export interface EventStoreDbOptions {
  /**
   * In EventStoreDB's syntax: `esdb://name:password@host:2113?tls=true`, several hosts for a cluster, `esdb+discover://` for a cluster behind a DNS
   * name. No error quotes the credentials.
   */
  readonly connectionString: string;
  /** All streams of this log begin with it, and no others. Empty: the whole server is this log's. */
  readonly streamPrefix: string;
  /** Whether a missing log is an error. Default: the log is begun. */
  readonly mustExist?: boolean;
  /**
   * The time for which a read or an append is tried again while the server cannot be reached, has no leader or does not answer. Default: 30,000.
   * `withPatience` overrides it, as for requests.
   */
  readonly patienceMs?: number;
  /** The longest silence of the server within one attempt. Default: 5,000. */
  readonly attemptMs?: number;
}

interface Parts {
  readonly connection: Connection;
  readonly channel: AppendChannel;
  readonly appender: Appender;
  readonly streams: StreamReader;
  readonly log: LogReader;
  readonly progress: LogProgress;
  readonly notes: GapNotes;
  readonly closing: AbortController;
}

/**
 * The log in EventStoreDB or KurrentDB, version 23.10 or later: durable when acknowledged, shared by any number of processes. Positions are the
 * server's own, in order and with gaps. All calls go to the leader. `any` and `stream-exists` read the stream first and then append at the revision
 * found, because the server knows repeats under them only for a while, and by other rules than our port. They are meant for short streams.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly isRemote = true;
  readonly #running = new Set<Promise<unknown>>();
  readonly #turns = new Mutex();
  #closed: Promise<void> | undefined;

  private constructor(
    readonly logId: string,
    private readonly prefix: string,
    private readonly parts: Parts,
  ) {}

  /**
   * Connects, and gives the log a name if it has none yet.
   * @throws NoLog if there is none and it must exist
   * @throws StoreUnavailable if the server cannot be reached or refuses, or the text is not a connection string
   */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const { connectionString, streamPrefix: prefix, patienceMs = 30_000, attemptMs = 5_000 } = options;
    const { mustExist = false } = options;
    const connection = Connection.to(connectionString, attemptMs);
    const channel = new AppendChannel(connection);
    const reader = new EventReader(connection, { patienceMs, attemptMs });
    const appender = new Appender(channel, reader);
    const streams = new StreamReader(reader);
    try {
      // A user who may not read the log must not begin one.
      await reader.read('', lastEventRequest());
      const marker = await openMarker(prefix, streams, appender, mustExist);
      const { logId } = marker;
      const progress = new LogProgress(marker.floor, marker.gaps);
      const { server } = connection;
      const opened = { prefix, marker, server, head: () => progress.knownHead, silenceMs: attemptMs };
      connection.checkEach((node) => checkLog(node, opened));
      const notes = new GapNotes(prefix, marker, progress, appender);
      const isOurs = ({ stream }: StoredEvent) => stream !== markerStream(prefix);
      const closing = new AbortController();
      const own = { logId, prefix, progress, isOurs, onProgress: () => notes.consider() };
      const log = new LogReader(connection, reader, own, closing.signal);
      const parts = { connection, channel, appender, streams, log, progress, notes, closing };
      return new EventStoreDbEventStore(logId, prefix, parts);
    } catch (error) {
      channel.close();
      connection.close();
      throw await connection.explained(error);
    }
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const results = await this.appendInOrder([{ stream, expected, events }]);
    return results[0] as AppendResult;
  }

  async appendInOrder(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]> {
    this.#assertOpen();
    for (const append of appends) {
      checkAppend(append);
      this.#checkName(append.stream);
    }
    const running = appendOneByOne(appends, (one) => this.#append(one));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    return options.limit === 0 ? [] : this.parts.streams.read(this.logId, stream, options);
  }

  async readAll({ from, direction, ...most }: ReadAllOptions): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    const sequence = from === undefined ? undefined : sequenceOf(this.logId, from);
    const { log, progress } = this.parts;
    return direction === 'backwards'
      ? firstWithin(await log.backwards(sequence, most.limit), most)
      : log.forwards(sequence ?? progress.floor, most);
  }

  async head(): Promise<Position | undefined> {
    this.#assertOpen();
    const sequence = await this.parts.log.head();
    return sequence === undefined ? undefined : formatPosition(this.logId, sequence);
  }

  async *subscribe(after: Position | undefined, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    const { log, progress } = this.parts;
    const sequence = after === undefined ? progress.floor : sequenceOf(this.logId, after);
    if (!this.#closed && !signal.aborted) yield* log.subscribe(sequence, signal);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { channel, closing, connection, notes } = this.parts;
    closing.abort();
    await Promise.allSettled(this.#running);
    await notes.close();
    channel.close();
    connection.close();
  }

  #append({ stream, expected, events }: StreamAppend): Promise<AppendResult> {
    return expected === 'any' || expected === 'stream-exists'
      ? this.#appendByIds(stream, expected, events)
      : this.#appendAfter(stream, expected === 'no-stream' ? undefined : expected, events);
  }

  async #appendAfter(
    stream: string,
    after: number | undefined,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const { appender, streams, progress, notes } = this.parts;
    try {
      const { revision, sequence } = await appender.append(stream, after, events);
      if (sequence === undefined) return await this.#resultAt(stream, revision);
      if (!isBlobStream(stream)) {
        progress.saw(sequence, events.at(-1)?.eventId);
        // A repeat is acknowledged from written events, maybe before readers see them.
        streams.expect(stream, revision);
      }
      notes.consider();
      return { revision, position: formatPosition(this.logId, sequence) };
    } catch (error) {
      if (error instanceof RevisionConflict && error.actual !== undefined)
        streams.expect(stream, error.actual);
      throw error;
    }
  }

  /** For servers that do not give the position of a repeated append. */
  async #resultAt(stream: string, revision: number): Promise<AppendResult> {
    const { streams } = this.parts;
    streams.expect(stream, revision);
    const options = { from: revision, direction: 'backwards', limit: 1 } as const;
    const [stored] = await streams.read(this.logId, stream, options);
    return stored?.revision === revision
      ? { revision, position: stored.position }
      : streams.wasDeleted(stream);
  }

  /** One after the other, so that writers of one process do not lose rounds to each other. */
  #appendByIds(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const one = {
      name: stream,
      readFrom: (from: number) => this.parts.streams.read(this.logId, stream, { from }),
      appendAfter: (after: number | undefined) => this.#appendAfter(stream, after, events),
    };
    return this.#turns.take(stream, async () => {
      const { revision, position } = await appendByIds(one, expected, events);
      return { revision, position };
    });
  }

  #checkName(stream: string): void {
    if (stream.startsWith(this.prefix) && stream !== markerStream(this.prefix)) return;
    throw new InvalidAppend(
      `cannot append to ${stream}`,
      `streams of this log begin with ${JSON.stringify(this.prefix)} and do not end there with "log"`,
      'This is a bug in the code that appends',
    );
  }

  #assertOpen(): void {
    if (!this.#closed) return;
    throw new StoreUnavailable(
      `cannot use the event log in EventStoreDB at ${this.parts.connection.server}`,
      'it is closed',
      'Open it again',
    );
  }
}

/** A mutex for each name. Tasks run one at a time, in the order of their arrival. */
class Mutex {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work, work);
    this.#last.set(name, turn);
    const forget = () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
    };
    turn.then(forget, forget);
    return turn;
  }
}
