import { randomUUID } from 'node:crypto';
import type { EventStore, ExpectedRevision, Position, StoredEvent } from '#lib/event-store';
import { ALL_TRUNCATED, Deletions, METADATA_PREFIX, METADATA_TYPE, TOMBSTONE_TYPE } from './deletions.js';
import { KnownEvents } from './known-events.js';
import { firstOf, LaggingIndex } from './lagging-index.js';
import { type ProposedEvent, sizeOf, toStore } from './proposed-event.js';
import { serverStore } from './server-store.js';
import { epochEvent, firstSystemEvents, type SystemEvent } from './system-events.js';
import { WirePlaces } from './wire-places.js';

export type AppendAnswer =
  | { readonly kind: 'stored'; readonly last: StoredEvent; readonly indexed?: Promise<void> }
  | { readonly kind: 'wrong-version'; readonly actual: number | undefined }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'too-large'; readonly largest: number };

/** Where the events go, or what else is to be answered. */
type Decision = { readonly kind: 'append'; readonly after: number | undefined } | AppendAnswer;

/** Data, metadata and names of one append, in bytes, where the server is not told otherwise. */
const LARGEST_APPEND = 1024 * 1024;

export interface LogOptions {
  /** Default: the server's, 1 MiB. */
  readonly maxAppendSize?: number | undefined;
  /** How long after it was written an event can be read. Default: 0. */
  readonly indexLagMs?: number | undefined;
  /** How many events of others the server looks through in a second. Default: any number. */
  readonly scanSpeed?: number | undefined;
  /** Of a cluster: how long after the leader shows it a follower shows an event. Default: 0. */
  readonly replicationLagMs?: number | undefined;
}

/** EventStoreDB's rules of appending and deleting, on top of our own port. */
export class StandInLog {
  readonly #known = new KnownEvents();
  readonly #deletions = new Deletions();
  #lastTurn: Promise<unknown> = Promise.resolve();
  #epoch = 0;
  readonly #largestAppend: number;
  readonly #replica: LaggingIndex;
  readonly #replicationLagMs: number;

  /** The events that readers see. */
  readonly shown: EventStore;
  /** The events that readers of a follower see. */
  readonly replicated: EventStore;
  readonly index: LaggingIndex;
  readonly places: WirePlaces;
  readonly scanSpeed: number;
  /** How many foreign events calls have scanned. */
  foreignScanned = 0;

  private constructor(
    /** The events that were written. */
    readonly store: EventStore,
    options: LogOptions,
  ) {
    const { maxAppendSize = LARGEST_APPEND, indexLagMs = 0, scanSpeed = Infinity } = options;
    this.#largestAppend = maxAppendSize;
    this.index = new LaggingIndex(store, indexLagMs);
    this.shown = this.index.view();
    this.#replicationLagMs = options.replicationLagMs ?? 0;
    this.#replica = new LaggingIndex(store, this.#replicationLagMs);
    this.replicated = this.#replicationLagMs > 0 ? this.#replica.view() : this.shown;
    this.places = new WirePlaces(store.logId);
    this.scanSpeed = scanSpeed;
  }

  static async open(kept: EventStore, options: LogOptions = {}): Promise<StandInLog> {
    const log = new StandInLog(serverStore(kept), options);
    const events = await log.store.readAll({ limit: Number.MAX_SAFE_INTEGER });
    for (const event of events) log.#deletions.apply(event);
    if (events.length === 0) for (const event of firstSystemEvents()) await log.#write(event);
    return log;
  }

  /** A leader has been elected. */
  async beginEpoch(): Promise<void> {
    this.#epoch += 1;
    await this.#inTurn(() => this.#write(epochEvent(this.#epoch)));
  }

  async append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): Promise<AppendAnswer> {
    const answer = await this.#inTurn<AppendAnswer>(async () => {
      const size = events.reduce((sum, event) => sum + sizeOf(event), Buffer.byteLength(stream));
      if (size > this.#largestAppend) return { kind: 'too-large', largest: this.#largestAppend };
      const decision = await this.#decide(stream, expected, events);
      return decision.kind === 'append' ? this.#store(stream, decision.after, events) : decision;
    });
    if (answer.kind === 'stored') await answer.indexed;
    return answer;
  }

  /** A soft delete hides what is there; a tombstone closes the stream for ever. */
  delete(stream: string, expected: ExpectedRevision, how: 'soft' | 'tombstone'): Promise<AppendAnswer> {
    return this.#inTurn(async () => {
      if (this.#deletions.of(stream).tombstoned) return { kind: 'deleted' };
      const last = await this.#last(stream);
      const asExpected =
        expected === 'any' ||
        (expected === 'stream-exists' ? last !== undefined : expected === last?.revision) ||
        (expected === 'no-stream' && last === undefined);
      const hasMetadata = async () => (await this.#last(`${METADATA_PREFIX}${stream}`)) !== undefined;
      const isThere = how === 'tombstone' || last !== undefined || (await hasMetadata());
      if (!asExpected || !isThere) return { kind: 'wrong-version', actual: last?.revision };
      const [type, data] = how === 'soft' ? [METADATA_TYPE, ALL_TRUNCATED] : [TOMBSTONE_TYPE, '{}'];
      return {
        kind: 'stored',
        last: await this.#write({ stream: `${METADATA_PREFIX}${stream}`, type, data }),
      };
    });
  }

  /** The readable events of a stream whose last revision is this one: none of a deleted stream. */
  readable(stream: string, last = 0): 'tombstoned' | { readonly from: number; readonly maxAgeS: number } {
    const { tombstoned, truncateBefore, maxCount, maxAgeS } = this.#deletions.of(stream);
    return tombstoned ? 'tombstoned' : { from: Math.max(truncateBefore, last - maxCount + 1), maxAgeS };
  }

  async #decide(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): Promise<Decision> {
    if (this.#deletions.of(stream).tombstoned) return { kind: 'deleted' };
    const last = (await this.#last(stream))?.revision;
    const wrong: Decision = { kind: 'wrong-version', actual: last };
    if (expected === 'stream-exists') {
      if (last === undefined) return wrong;
      if (this.#deletions.isSoftDeleted(stream)) return { kind: 'deleted' };
    }
    if (expected === 'any' || expected === 'stream-exists') {
      return this.#decideByIds(stream, events, last, wrong);
    }
    const before = expected === 'no-stream' ? -1 : expected;
    if (before === (last ?? -1)) return { kind: 'append', after: last };
    if (before > (last ?? -1)) return wrong;
    return this.#decideByRevision(stream, before, events, wrong);
  }

  async #decideByIds(
    stream: string,
    events: readonly ProposedEvent[],
    last: number | undefined,
    wrong: Decision,
  ): Promise<Decision> {
    const known = events.map(({ eventId }) => this.#known.in(stream, eventId));
    if (known[0] === undefined) return { kind: 'append', after: last };
    const ends = known.every((event) => event !== undefined) ? known.at(-1) : undefined;
    const [event] = ends ? await this.store.readStream(stream, { from: ends.revision, limit: 1 }) : [];
    return event ? { kind: 'stored', last: event } : wrong;
  }

  async #decideByRevision(
    stream: string,
    before: number,
    events: readonly ProposedEvent[],
    wrong: Decision,
  ): Promise<Decision> {
    const stored = await this.store.readStream(stream, { from: before + 1, limit: events.length });
    const differs = events.findIndex(
      ({ eventId }, index) => stored[index]?.eventId !== eventId.toLowerCase(),
    );
    const last = stored.at(-1);
    if (differs === -1 && last) return { kind: 'stored', last };
    const revived = differs === 0 && before === -1 && this.#deletions.isSoftDeleted(stream);
    return revived ? { kind: 'append', after: (await this.#last(stream))?.revision } : wrong;
  }

  async #store(
    stream: string,
    after: number | undefined,
    events: readonly ProposedEvent[],
  ): Promise<AppendAnswer> {
    if (this.#deletions.isSoftDeleted(stream)) {
      const data = `{"$tb":${(after ?? -1) + 1}}`;
      await this.#write({ stream: `${METADATA_PREFIX}${stream}`, type: METADATA_TYPE, data });
    }
    const now = Date.now();
    const toBeStored = events.map((event) => toStore(event, now));
    const { revision, position } = await this.store.append(stream, after ?? 'no-stream', toBeStored);
    const first = revision - events.length + 1;
    for (const [index, event] of toBeStored.entries()) {
      this.#known.add(event.eventId, { stream, revision: first + index });
      this.#deletions.apply({ ...event, stream });
    }
    const indexed = this.#indexed(firstOf(this.store.logId, position, events.length));
    const last = { ...(toBeStored.at(-1) as StoredEvent), stream, revision, position };
    return { kind: 'stored', last, indexed };
  }

  /** Resolves once it can be read at the leader. */
  #indexed(first: Position): Promise<void> {
    const indexed = this.index.indexed(first);
    if (this.#replicationLagMs > 0) {
      this.#replica.lagMs = this.index.lagMs + this.#replicationLagMs;
      void this.#replica.indexed(first);
    }
    return indexed;
  }

  async #write({ stream, type, data }: SystemEvent): Promise<StoredEvent> {
    const event = toStore(
      {
        eventId: randomUUID(),
        type,
        contentType: 'application/json',
        data: Buffer.from(data),
        metadata: Buffer.alloc(0),
      },
      Date.now(),
    );
    const { revision, position } = await this.store.append(stream, 'any', [event]);
    this.#deletions.apply({ ...event, stream });
    return { ...event, stream, revision, position };
  }

  /** One change at a time, in the order they came. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(change, change);
    this.#lastTurn = turn;
    return turn;
  }

  async #last(stream: string): Promise<StoredEvent | undefined> {
    const [last] = await this.store.readStream(stream, { direction: 'backwards', limit: 1 });
    return last;
  }
}
