import {
  type AppendResult,
  checkAppend,
  type EventStore,
  type EventToStore,
  type ExpectedRevision,
  formatPosition,
  InvalidAppend,
  placeOf,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  RevisionConflict,
  type StoredEvent,
  StoreUnavailable,
  type StreamAppend,
} from '#lib/event-store';
import { appendByIds } from './append-by-ids.js';
import { AppendChannel } from './append-channel.js';
import { Appender } from './appender.js';
import { Connection } from './connection.js';
import { EventReader } from './event-reader.js';
import { followServer } from './follow-server.js';
import { logIdOf, markerStream } from './log-marker.js';
import { logRequest, placeAt, streamRequest } from './read-request.js';
import { TurnTaker } from './turn-taker.js';

export interface EventStoreDbOptions {
  /**
   * As EventStoreDB writes them: `esdb://name:password@host:2113?tls=true`, several hosts for a cluster,
   * `esdb+discover://` for one behind a DNS name. Nothing that is thrown quotes the credentials.
   */
  readonly connectionString: string;
  /** All streams of this log begin with it, and no others. Empty: the whole server is ours. */
  readonly streamPrefix: string;
  /**
   * How long the server may take for one attempt at an append. Default: 5,000. An append that is not answered is tried
   * again for twice that time.
   */
  readonly appendTimeoutMs?: number;
  /** The longest silence within a read. Default: 10,000. */
  readonly readTimeoutMs?: number;
}

interface Parts {
  readonly connection: Connection;
  readonly channel: AppendChannel;
  readonly appender: Appender;
  readonly reader: EventReader;
}

/**
 * The log in EventStoreDB or KurrentDB, version 23.10 or later: durable when acknowledged, shared by any number of
 * processes. Positions are the server's own, in order and with gaps. All calls go to the leader.
 *
 * `any` and `stream-exists` read the stream first and then append at the revision found, because the server knows
 * repeats under them only for a while, and by other rules than our port: fit for short streams.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #turns = new TurnTaker();
  #closed: Promise<void> | undefined;
  readonly #marker: string;

  private constructor(
    readonly logId: string,
    private readonly prefix: string,
    private readonly parts: Parts,
  ) {
    this.#marker = markerStream(prefix);
  }

  /**
   * Connects, and gives the log a name if it has none yet.
   * @throws StoreUnavailable when the server cannot be reached or refuses, or the text is no connection string
   */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const { connectionString, streamPrefix, appendTimeoutMs = 5_000, readTimeoutMs = 10_000 } = options;
    const connection = Connection.to(connectionString);
    const channel = new AppendChannel(connection, appendTimeoutMs);
    const appender = new Appender(channel, connection.server, appendTimeoutMs);
    const reader = new EventReader(connection, readTimeoutMs);
    try {
      const logId = await logIdOf(streamPrefix, reader, appender);
      return new EventStoreDbEventStore(logId, streamPrefix, { connection, channel, appender, reader });
    } catch (error) {
      channel.close();
      await connection.close();
      throw error;
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
    const running = this.#appendOneByOne(appends);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    if (options.limit === 0) return [];
    return this.parts.reader.read(this.logId, streamRequest(stream, options));
  }

  async readAll({ from, direction = 'forwards', limit }: ReadAllOptions): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    const place = from === undefined ? undefined : placeOf(this.logId, from);
    // Two more than asked for: the event at `from` itself, which the server gives forwards, and the marker.
    const request = logRequest(this.prefix, place, direction, limit + 2);
    const events = await this.parts.reader.read(this.logId, request);
    return events.filter((event) => event.position !== from && this.#isOurs(event)).slice(0, limit);
  }

  async head(): Promise<Position | undefined> {
    const [last] = await this.readAll({ direction: 'backwards', limit: 1 });
    return last?.position;
  }

  async *subscribe(after: Position | undefined, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    const place = after === undefined ? undefined : placeAt(placeOf(this.logId, after));
    const log = {
      logId: this.logId,
      prefix: this.prefix,
      isOurs: (event: StoredEvent) => this.#isOurs(event),
    };
    const end = AbortSignal.any([signal, this.#closing.signal]);
    yield* followServer(this.parts.connection, log, place, end);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    this.parts.channel.close();
    await this.parts.connection.close();
  }

  async #appendOneByOne(appends: readonly StreamAppend[]): Promise<readonly AppendResult[]> {
    const written: AppendResult[] = [];
    for (const { stream, expected, events } of appends) {
      try {
        written.push(await this.#append(stream, expected, events));
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
        throw new RevisionConflict(stream, expected, error.actual, written);
      }
    }
    return written;
  }

  #append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    return expected === 'any' || expected === 'stream-exists'
      ? this.#appendByIds(stream, expected, events)
      : this.#appendAfter(stream, expected === 'no-stream' ? undefined : expected, events);
  }

  async #appendAfter(
    stream: string,
    after: number | undefined,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const { revision, place } = await this.parts.appender.append(stream, after, events);
    return { revision, position: formatPosition(this.logId, place) };
  }

  /** In turns: writers of one process need not lose rounds to each other. */
  #appendByIds(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToStore[],
  ): Promise<AppendResult> {
    const one = {
      name: stream,
      readFrom: (from: number) => this.parts.reader.read(this.logId, streamRequest(stream, { from })),
      appendAfter: (after: number | undefined) => this.#appendAfter(stream, after, events),
    };
    return this.#turns.take(stream, async () => {
      const { revision, position } = await appendByIds(one, expected, events);
      return { revision, position };
    });
  }

  #isOurs({ stream }: StoredEvent): boolean {
    return stream !== this.#marker;
  }

  #checkName(stream: string): void {
    if (stream.startsWith(this.prefix) && stream !== this.#marker) return;
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
