import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import {
  firstWithin,
  formatPosition,
  noPosition,
  Patience,
  type ReadAllOptions,
  sequenceOf,
  type StoredEvent,
  storedSize,
} from '#lib/event-store';
import type { AttemptSettings } from './attempt-settings.js';
import type { Connection } from './connection.js';
import type { EventReader, ReadOptions } from './event-reader.js';
import { followServer } from './follow-server.js';
import { isUnknown } from './grpc-failure.js';
import { LogReplaced } from './server-errors.js';
import type { OwnLog } from './own-log.js';
import { isNoPlace } from './place-probe.js';
import { logRequest } from './read-request.js';
import { unavailable } from './unavailable.js';

type Most = Pick<ReadAllOptions, 'limit' | 'bytes'>;

/**
 * Reads this log's part of the server's log. The server filters by looking at every event, ours or not, and reports progress only to subscriptions.
 * So reads forwards follow a subscription until it has caught up.
 */
export class LogReader {
  #looking: Promise<void> | undefined;
  #nextLook: Promise<void> | undefined;
  #looked = false;

  constructor(
    private readonly connection: Connection,
    private readonly reader: EventReader,
    private readonly log: OwnLog,
    private readonly closing: AbortSignal,
  ) {}

  /** The position of this log's last event, of any process. Reads only the events since the last call. */
  async head(): Promise<bigint | undefined> {
    await this.#catchUp();
    return this.log.progress.head;
  }

  async forwards(after: bigint, most: Most): Promise<readonly StoredEvent[]> {
    const { progress } = this.log;
    if (after >= (progress.head ?? progress.floor)) await this.#catchUp();
    return after >= (progress.head ?? progress.floor) ? [] : this.#follow(after, most);
  }

  async backwards(before: bigint | undefined, limit: number): Promise<readonly StoredEvent[]> {
    const known = this.log.progress.head;
    if (before !== undefined && known !== undefined && before <= known) return this.#before(before, limit);
    const head = await this.head();
    if (head === undefined || limit === 0) return [];
    if (before !== undefined && before <= head) return this.#before(before, limit);
    const last = await this.#eventAt(head);
    return limit === 1 ? last : [...last, ...(await this.#before(head, limit - 1))];
  }

  /** Every event after the position, then live. Waits at a position beyond the head. */
  async *subscribe(after: bigint, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    const { progress, logId } = this.log;
    if (after > progress.scanned) await this.#catchUp();
    const start = after > progress.scanned ? progress.scanned : after;
    const position = formatPosition(logId, after);
    for await (const batch of followServer(this.#following(signal), start)) {
      const events = start === after ? batch : batch.filter((event) => event.position > position);
      if (events.length === batch.length || events.length > 0) yield events;
    }
  }

  /** One read at a time. Calls that come during a read share the next one, because their read must begin after the call. */
  #catchUp(): Promise<void> {
    this.#nextLook ??= (this.#looking ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#looking = this.#nextLook;
        this.#nextLook = undefined;
        return this.#look();
      });
    return this.#nextLook;
  }

  /**
   * The first look of a process also goes backwards. That is short if the log ends with our events; the look from the last known position is short if
   * it ends with others'.
   */
  async #look(): Promise<void> {
    const { progress } = this.log;
    const forwards = this.#follow(progress.scanned, { limit: Infinity });
    if (this.#looked) return void (await forwards);
    const stop = new AbortController();
    await Promise.any([forwards, this.#lookBack(stop.signal)]).catch(() => forwards);
    stop.abort();
    this.#looked = true;
  }

  async #lookBack(signal: AbortSignal): Promise<void> {
    const [last] = await this.#read(logRequest(this.log.prefix, undefined, 'backwards'), 1, { signal });
    if (last) this.log.progress.saw(sequenceOf(this.log.logId, last.position), last.eventId);
  }

  async #follow(after: bigint, most: Most): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    let size = 0;
    const stop = new AbortController();
    let trouble: { readonly sequence: bigint; readonly patience: Patience } | undefined;
    let cause: unknown;
    const onTrouble = (why: unknown, sequence: bigint) => {
      if (trouble?.sequence !== sequence) trouble = { sequence, patience: this.#patience() };
      cause = why;
      if (trouble.patience.isOver || why instanceof LogReplaced) stop.abort();
    };
    for await (const batch of followServer({ ...this.#following(stop.signal), onTrouble }, after)) {
      events.push(...batch);
      size += batch.reduce((sum, event) => sum + storedSize(event), 0);
      if (batch.length > 0 && events.length < most.limit && size < (most.bytes ?? Infinity)) continue;
      return firstWithin(events, most);
    }
    throw unavailable('cannot read from', this.connection.server, cause ?? new Error('the store was closed'));
  }

  #before(sequence: bigint, limit: number): Promise<readonly StoredEvent[]> {
    const { logId, prefix } = this.log;
    const onFailure = async (error: unknown) => {
      if (isUnknown(error) && (await isNoPlace(this.connection, prefix, sequence))) {
        throw noPosition(logId, sequence);
      }
    };
    return this.#read(logRequest(prefix, sequence, 'backwards'), limit, { onFailure });
  }

  #eventAt(sequence: bigint): Promise<readonly StoredEvent[]> {
    return this.#read(logRequest(this.log.prefix, sequence, 'forwards'), 1);
  }

  /** Ends with enough of our events, or with the first event of the marker: no event of ours is before it. */
  async #read(
    request: ReadReq,
    limit: number,
    options: Pick<ReadOptions, 'signal' | 'onFailure'> = {},
  ): Promise<readonly StoredEvent[]> {
    const { logId, isOurs } = this.log;
    const enough = (events: readonly StoredEvent[]) => {
      const last = events.at(-1);
      if (last && !isOurs(last)) return last.revision === 0;
      return events.length >= limit && events.filter(isOurs).length >= limit;
    };
    const patience = this.#patience();
    const events = await this.reader.read(logId, request, {
      ...options,
      patience,
      enough,
      silenceMs: Infinity,
    });
    return events.filter(isOurs);
  }

  #patience(): Patience {
    return new Patience(this.reader.settings.patienceMs);
  }

  #following(signal: AbortSignal) {
    const { connection, log, closing } = this;
    const { attemptMs: silenceMs }: AttemptSettings = this.reader.settings;
    return { connection, log, silenceMs, signal: AbortSignal.any([signal, closing]) };
  }
}
