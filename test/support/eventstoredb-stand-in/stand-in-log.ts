import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { EventStore, ExpectedRevision, Position, StoredEvent } from '#lib/event-store';
import { AppendRules, type Refusal, type Repeat } from './append-rules.js';
import { ALL_TRUNCATED, Deletions, METADATA_PREFIX, METADATA_TYPE, TOMBSTONE_TYPE } from './deletions.js';
import { KnownEvents } from './known-events.js';
import { firstOf, LaggingIndex } from './lagging-index.js';
import { type ProposedEvent, toStore } from './proposed-event.js';
import { serverStore } from './server-store.js';
import { epochEvent, firstSystemEvents, type SystemEvent } from './system-events.js';
import { WirePlaces } from './wire-places.js';

/** `timeout`: it was taken, and the server stopped waiting for its own disk, cluster or index. */
export type AppendAnswer = Repeat | Refusal | { readonly kind: 'timeout' };

type DeleteAnswer =
  | { readonly kind: 'stored'; readonly position: Position }
  | { readonly kind: 'deleted' }
  /** `actual` of a stream that never was is -1. */
  | { readonly kind: 'wrong-version'; readonly actual: number };

/** `dropped`: the same append is under way, and this one is left without an answer until it times out. */
type Taken = (Repeat & { readonly indexed?: Promise<void> }) | Refusal | { readonly kind: 'dropped' };

/** The data of one append, in bytes, where the server is not told otherwise. */
const LARGEST_APPEND = 1024 * 1024;
/** The index, from which a server answers a conflict, lags behind an append by this long. */
const INDEX_LAG_MS = 2;
/** Two seconds, looked at once a second. */
const WRITE_TIMEOUT_MS = 2_500;

export interface LogOptions {
  /** Default: the server's, 1 MiB. */
  readonly maxAppendSize?: number | undefined;
  /** How long after it was written an event can be read. Default: 2. */
  readonly indexLagMs?: number | undefined;
  /** After how long an append that gets nowhere is answered with `Timeout`. Default: 2,500. */
  readonly writeTimeoutMs?: number | undefined;
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
  readonly #rules: AppendRules;
  readonly #writeTimeoutMs: number;
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
    const { maxAppendSize = LARGEST_APPEND, indexLagMs = INDEX_LAG_MS, scanSpeed = Infinity } = options;
    this.#rules = new AppendRules(store, this.#deletions, this.#known, maxAppendSize);
    this.#writeTimeoutMs = options.writeTimeoutMs ?? WRITE_TIMEOUT_MS;
    this.index = new LaggingIndex(store, indexLagMs);
    this.shown = this.index.view();
    this.#replicationLagMs = options.replicationLagMs ?? 0;
    this.#replica = new LaggingIndex(store, this.#replicationLagMs);
    this.replicated = this.#replicationLagMs > 0 ? this.#replica.view() : this.shown;
    this.places = new WirePlaces(store.logId);
    this.scanSpeed = scanSpeed;
  }

  /** @param secure a server with users writes them into an empty log */
  static async open(kept: EventStore, options: LogOptions = {}, secure = false): Promise<StandInLog> {
    const log = new StandInLog(serverStore(kept), options);
    const events = await log.store.readAll({ limit: Number.MAX_SAFE_INTEGER });
    for (const event of events) log.#deletions.apply(event);
    if (events.length === 0) for (const event of firstSystemEvents(secure)) await log.#write(event);
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
    const taken = await this.#inTurn<Taken>(async () => {
      const decision = await this.#rules.decide(stream, expected, events);
      if (decision.kind === 'append') return this.#store(stream, decision.after, events);
      const isUnderWay = decision.kind === 'stored' && !this.index.shows(decision.position);
      return isUnderWay ? { kind: 'dropped' } : decision;
    });
    if (taken.kind === 'stored') await taken.indexed;
    if (taken.kind !== 'dropped') return taken;
    await setTimeout(this.#writeTimeoutMs, undefined, { ref: false });
    return { kind: 'timeout' };
  }

  /** A soft delete hides what is there; a tombstone closes the stream for ever. */
  delete(stream: string, expected: ExpectedRevision, how: 'soft' | 'tombstone'): Promise<DeleteAnswer> {
    return this.#inTurn(async () => {
      if (this.#deletions.of(stream).tombstoned) return { kind: 'deleted' };
      const last = await this.#last(stream);
      const asExpected =
        expected === 'any' ||
        (expected === 'stream-exists' ? last !== undefined : expected === last?.revision) ||
        (expected === 'no-stream' && last === undefined);
      const hasMetadata = async () => (await this.#last(`${METADATA_PREFIX}${stream}`)) !== undefined;
      const isThere = how === 'tombstone' || last !== undefined || (await hasMetadata());
      if (!asExpected || !isThere) return { kind: 'wrong-version', actual: last?.revision ?? -1 };
      const [type, data] = how === 'soft' ? [METADATA_TYPE, ALL_TRUNCATED] : [TOMBSTONE_TYPE, '{}'];
      const { position } = await this.#write({ stream: `${METADATA_PREFIX}${stream}`, type, data });
      return { kind: 'stored', position };
    });
  }

  /** The readable events of a stream whose last revision is this one: none of a deleted stream. */
  readable(stream: string, last = 0): 'tombstoned' | { readonly from: number; readonly maxAgeS: number } {
    const { tombstoned, truncateBefore, maxCount, maxAgeS } = this.#deletions.of(stream);
    return tombstoned ? 'tombstoned' : { from: Math.max(truncateBefore, last - maxCount + 1), maxAgeS };
  }

  async #store(stream: string, after: number | undefined, events: readonly ProposedEvent[]): Promise<Taken> {
    if (this.#deletions.isSoftDeleted(stream)) {
      const data = `{"$tb":${(after ?? -1) + 1}}`;
      await this.#write({ stream: `${METADATA_PREFIX}${stream}`, type: METADATA_TYPE, data });
    }
    const now = Date.now();
    const toBeStored = events.map((event, index) => {
      const isRepeated = events.slice(0, index).some(({ eventId }) => eventId === event.eventId);
      return toStore(event, now, isRepeated ? randomUUID() : undefined);
    });
    const { revision, position } = await this.store.append(stream, after ?? 'no-stream', toBeStored);
    const first = revision - events.length + 1;
    for (const [index, { eventId }] of events.entries()) {
      this.#known.add(eventId, { stream, revision: first + index });
    }
    for (const event of toBeStored) this.#deletions.apply({ ...event, stream });
    const indexed = this.#indexed(firstOf(this.store.logId, position, events.length));
    return { kind: 'stored', revision, position, indexed };
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
