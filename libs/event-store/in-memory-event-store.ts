import { randomUUID } from 'node:crypto';
import { ChangeSignal } from './change-signal.js';
import { isBlobStream } from './blobs/blob-streams.js';
import { checkAppend } from './append-size.js';
import { decideAppend } from './decide-append.mjs';
import { RevisionConflict, StoreUnavailable } from './errors.js';
import type {
  AppendResult,
  EventStore,
  EventToStore,
  ExpectedRevision,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
  StreamAppend,
} from './event-store.js';
import { followLog } from './follow-log.js';
import { firstWithin } from './reading/first-within.js';
import { checkLogId, formatPosition, sequenceOf, type Position } from './position.js';

interface Stream {
  readonly events: StoredEvent[];
  /** Revision by event id. */
  readonly revisions: Map<string, number>;
}

/** The event store in the memory of one process (`storage: 'memory'`). It passes the same contract suite as the durable stores, but is not durable. */
export class InMemoryEventStore implements EventStore {
  readonly positionsAreGapFree = true;
  readonly #log: StoredEvent[] = [];
  readonly #streams = new Map<string, Stream>();
  readonly #arrivals = new ChangeSignal();

  /** @throws InvalidLogId */
  constructor(readonly logId: string = randomUUID()) {
    checkLogId(logId);
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
    appends.forEach(checkAppend);
    const written: AppendResult[] = [];
    for (const append of appends) written.push(this.#append(append, written));
    return written;
  }

  #append({ stream, expected, events }: StreamAppend, written: readonly AppendResult[]): AppendResult {
    const into = this.#streams.get(stream) ?? { events: [], revisions: new Map<string, number>() };
    const last = into.events.at(-1)?.revision;
    const eventIds = events.map((event) => event.eventId);
    const decision = decideAppend(expected, eventIds, {
      lastRevision: last,
      idAt: (revision) => into.events[revision]?.eventId,
      revisionOf: (eventId) => into.revisions.get(eventId),
    });
    if (decision.kind === 'conflict') throw new RevisionConflict(stream, expected, last, written);
    if (decision.kind === 'append') this.#add(stream, into, events);
    const { revision, position } = into.events[decision.first + events.length - 1] as StoredEvent;
    return { revision, position };
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    const events = this.#streams.get(stream)?.events ?? [];
    if (options.direction !== 'backwards') return firstOf(events.slice(options.from ?? 0), options.limit);
    const upTo = options.from === undefined ? events.length : options.from + 1;
    return firstOf(events.slice(0, upTo).toReversed(), options.limit);
  }

  async lastRevisions(streams: readonly string[]): Promise<readonly (number | undefined)[]> {
    this.#assertOpen();
    return streams.map((stream) => this.#streams.get(stream)?.events.at(-1)?.revision);
  }

  async readAll({ from, direction, ...most }: ReadAllOptions): Promise<readonly StoredEvent[]> {
    this.#assertOpen();
    // Sequences count from 1: the event of sequence n is the log's element n - 1.
    const sequence = from === undefined ? undefined : Number(sequenceOf(this.logId, from));
    if (direction !== 'backwards') return firstWithin(this.#shown(sequence ?? 0, 1), most);
    const last = Math.min(this.#log.length, (sequence ?? Infinity) - 1) - 1;
    return firstWithin(this.#shown(last, -1), most);
  }

  async head(): Promise<Position | undefined> {
    this.#assertOpen();
    return firstWithin(this.#shown(this.#log.length - 1, -1), { limit: 1 })[0]?.position;
  }

  subscribe(after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]> {
    return followLog(this, this.#arrivals, after, signal);
  }

  async close(): Promise<void> {
    this.#arrivals.end();
  }

  /** The events of the log from this index on, in steps, without those of blobs. */
  *#shown(from: number, step: 1 | -1): Generator<StoredEvent, undefined> {
    for (let index = from; ; index += step) {
      const event = this.#log[index];
      if (event === undefined) return;
      if (!isBlobStream(event.stream)) yield event;
    }
  }

  #add(name: string, stream: Stream, events: readonly EventToStore[]): void {
    for (const { eventId, type, data, metadata } of events) {
      const revision = stream.events.length;
      const position = formatPosition(this.logId, this.#log.length + 1);
      const stored = { eventId, type, data, metadata, stream: name, revision, position };
      stream.events.push(stored);
      stream.revisions.set(eventId, revision);
      this.#log.push(stored);
    }
    this.#streams.set(name, stream);
    this.#arrivals.announce();
  }

  #assertOpen(): void {
    if (!this.#arrivals.ended) return;
    throw new StoreUnavailable('the event store cannot be used', 'it is closed', 'Open it again');
  }
}

function firstOf<T>(list: readonly T[], limit: number | undefined): readonly T[] {
  return limit === undefined ? list : list.slice(0, limit);
}
