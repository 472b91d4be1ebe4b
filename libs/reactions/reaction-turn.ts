import { type EventLog, type StoredEvent, StoreUnavailable } from '#lib/event-store';
import type { IdSource } from '#lib/kernel';
import type { ReadStore } from '#lib/read-models';
import { type HeldLease, withLinkedSignal } from '#lib/workflow';
import { PendingDeliveries, type Reached } from './pending-deliveries.js';
import type { Reaction } from './reaction.js';
import { type DeliveryParts, ReactionDeliveries } from './reaction-deliveries.js';
import type { ReactionAdvanced } from './reaction.events.js';
import { ReactionScan, type ScanParts } from './reaction-scan.js';
import { placeIn, ReactionStream } from './reaction-stream.js';

/** A mark is recorded after this many deliveries, after this many events that asked for none, or after this time if there was a delivery. */
const SETTLED = 500;
const PASSED = 10_000;
const MARK_MS = 60_000;

/** The parts of all turns of a process. */
export interface TurnParts extends ScanParts, DeliveryParts {
  readonly store: ReadStore;
  readonly ids: IdSource;
}

/** The work of one reaction while this process has its lease. */
export class ReactionTurn {
  readonly #stream: ReactionStream;
  readonly #pending: PendingDeliveries;
  #markedAt: number;

  constructor(
    private readonly parts: TurnParts,
    private readonly reaction: Reaction,
    private readonly lease: HeldLease,
  ) {
    const { log, time, ids, store } = parts;
    this.#stream = new ReactionStream(log, time, ids, reaction.name, reaction.life);
    this.#pending = new PendingDeliveries(store, reaction.name, lease.token, reaction.life);
    this.#markedAt = this.#now;
  }

  /**
   * Runs until the signal aborts and the running deliveries have ended.
   * @param going called after each page of the log that is stored
   * @throws TakenOver @throws UndecodableEvent @throws StoreUnavailable
   */
  async run(signal: AbortSignal, going: () => void): Promise<void> {
    const { parts, reaction } = this;
    const scan = new ReactionScan(parts, reaction, this.#pending, await this.#begun());
    if (reaction.address !== undefined) await this.#pending.aim(reaction.address, this.#now);
    const deliveries = new ReactionDeliveries(parts, reaction, this.#pending, this.#stream, this.lease);
    await withLinkedSignal(signal, async (both, end) => {
      const kept = () => {
        going();
        deliveries.wake();
      };
      const following = scan.follow(both, kept).finally(() => end());
      const delivering = deliveries.run(both, () => this.#markInTime(scan, deliveries)).finally(() => end());
      const ends = await Promise.allSettled([following, delivering]);
      for (const result of ends) if (result.status === 'rejected') throw result.reason;
    });
    if (!this.lease.isLost) await this.#mark(scan, deliveries);
  }

  /** The place in the rows; without rows, that in the log. */
  async #begun(): Promise<Reached> {
    const { mark } = await this.#stream.begun();
    const row = await this.#pending.take();
    const { logId } = this.parts.log.store;
    if (row && (row.reached === '' || row.reached.startsWith(`${logId}.`))) {
      const { reached: position, stream, revision } = row;
      return { position, place: stream === undefined ? undefined : { stream, revision: revision ?? 0 } };
    }
    const reached = mark ? await this.#reachedOf(mark) : { position: '', place: undefined };
    await this.#pending.begin(reached);
    return reached;
  }

  async #reachedOf({ stream, revision, isPending }: ReactionAdvanced['data']): Promise<Reached> {
    const { log } = this.parts;
    const [marked] = await log.store.readStream(log.streams.withPrefix(stream), { from: revision, limit: 1 });
    if (!marked) throw markMissing(this.reaction.name, stream, revision);
    if (!isPending) return reachedBy(log, marked);
    const [before] = await log.store.readAll({ from: marked.position, direction: 'backwards', limit: 1 });
    return before ? reachedBy(log, before) : { position: '', place: undefined };
  }

  /** @returns the milliseconds after which a mark has to be recorded */
  async #markInTime(scan: ReactionScan, deliveries: ReactionDeliveries): Promise<number | undefined> {
    const { settled } = deliveries;
    const rest = this.#markedAt + MARK_MS - this.#now;
    if (settled >= SETTLED || scan.passed >= PASSED || (settled > 0 && rest <= 0)) {
      await this.#mark(scan, deliveries);
      return undefined;
    }
    return settled > 0 ? rest : undefined;
  }

  async #mark(scan: ReactionScan, deliveries: ReactionDeliveries): Promise<void> {
    if (deliveries.settled === 0 && scan.passed < PASSED) return;
    // Read first: deliveries after it may not be among the rows yet.
    const { place } = scan;
    const oldest = await this.#pending.oldest();
    const data = oldest ? this.#askedAt(oldest) : place;
    [deliveries.settled, scan.passed, this.#markedAt] = [0, 0, this.#now];
    const { life } = this.reaction;
    if (data) await this.#stream.send({ type: 'AdvanceReaction', data: { ...data, life } });
  }

  #askedAt({ stream, revision, retry }: { stream: string; revision: number; retry?: number | undefined }) {
    if (retry === undefined) return { stream, revision, isPending: true } as const;
    const own = placeIn(this.parts.log, { stream: this.#stream.stream, revision: retry });
    return { ...own, isPending: true } as const;
  }

  get #now(): number {
    return this.parts.time.now().getTime();
  }
}

function reachedBy(log: EventLog, event: StoredEvent): Reached {
  return { position: event.position, place: placeIn(log, event) };
}

function markMissing(name: string, stream: string, revision: number): StoreUnavailable {
  const fix = 'Restore the log from a backup: it has lost events';
  return new StoreUnavailable(
    `the reaction ${name} cannot go on`,
    `it has come to ${stream} revision ${revision}, which is not in the log`,
    fix,
  );
}
