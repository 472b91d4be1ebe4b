import { ChangeSignal, type EventLog } from '#lib/event-store';
import { type HeldLease, settledBy, type Time, withTimeLimit } from '#lib/workflow';
import type { Delivery } from './deliveries.tables.js';
import { type PendingDeliveries, TakenOver } from './pending-deliveries.js';
import type { Reaction } from './reaction.js';
import type { Attempt } from './reaction.events.js';
import type { ReactionStream } from './reaction-stream.js';

/** Deliveries of one reaction that are made at once: each of another session, run or conversation. */
const SLOTS = 16;
/** A handler that takes longer has failed. */
const LONGEST_MS = 5 * 60_000;
/** Characters of an error that are kept. */
const LONGEST_ERROR = 1_000;

/** The parts of deliveries. */
export interface DeliveryParts {
  readonly log: EventLog;
  readonly time: Time;
  /** Takes secrets out of what a handler throws. */
  readonly redact: (text: string) => string;
}

/** Makes the deliveries of one reaction that are due, while its lease is held. */
export class ReactionDeliveries {
  /** Deliveries that were settled since the last mark. */
  settled = 0;
  readonly #changed = new ChangeSignal();
  readonly #running = new Map<number, Promise<void>>();
  #failed: { readonly error: unknown } | undefined;

  constructor(
    private readonly parts: DeliveryParts,
    private readonly reaction: Reaction,
    private readonly pending: PendingDeliveries,
    private readonly stream: ReactionStream,
    private readonly lease: HeldLease,
  ) {}

  /** There may be more to deliver. */
  wake(): void {
    this.#changed.announce();
  }

  /**
   * Until the signal aborts; then once what runs is done.
   * @param between called whenever something has changed. @returns when it is to be called again at the latest, in milliseconds
   * @throws what ends the turn: TakenOver, StoreUnavailable
   */
  async run(signal: AbortSignal, between: () => Promise<number | undefined>): Promise<void> {
    try {
      while (!signal.aborted && !this.#failed) await this.#round(signal, between);
    } finally {
      // Also after a failure: the next turn would make the same deliveries beside these.
      await Promise.all(this.#running.values());
    }
    if (this.#failed) throw this.#failed.error;
  }

  async #round(signal: AbortSignal, between: () => Promise<number | undefined>): Promise<void> {
    const seen = this.#changed.count;
    const waits = [await this.#begin(), await between()].filter((ms) => ms !== undefined);
    const cancel =
      waits.length > 0 ? this.parts.time.after(Math.min(...waits), () => this.wake()) : () => undefined;
    await this.#changed.after(seen, signal);
    cancel();
  }

  /** @returns how long until the next one is due, if one that does not run has a time */
  async #begin(): Promise<number | undefined> {
    // Before the rows are read: a delivery that ends meanwhile is still among them.
    const running = new Set(this.#running.keys());
    const first = await this.pending.first(SLOTS + running.size);
    const now = this.parts.time.now().getTime();
    for (const delivery of first) {
      if (running.has(delivery.at)) continue;
      if ((delivery.dueAt ?? 0) > now) return (delivery.dueAt ?? 0) - now;
      if (this.#running.size === SLOTS) return undefined;
      this.#start(delivery);
    }
    return undefined;
  }

  #start(delivery: Delivery): void {
    const ended = this.#attempt(delivery)
      .catch((error: unknown) => void (this.#failed ??= { error }))
      .finally(() => {
        this.#running.delete(delivery.at);
        this.wake();
      });
    this.#running.set(delivery.at, ended);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    if (!(await this.lease.confirm())) throw new TakenOver('The lease is lost.');
    const failure = await this.#deliver(delivery);
    const now = this.parts.time.now();
    if (failure !== undefined) {
      const attempts = [...delivery.attempts, { at: now.toISOString(), error: failure }];
      const pause = this.reaction.pauses[delivery.attempts.length];
      if (pause !== undefined) return this.pending.postpone(delivery, attempts, now.getTime() + pause);
      await this.#park(delivery, attempts);
    }
    await this.pending.settle(delivery, now.getTime());
    this.settled += 1;
  }

  /** @returns why it failed */
  async #deliver({ stream, revision, type, deliveryId }: Delivery): Promise<string | undefined> {
    const { log, redact } = this.parts;
    // The code of today may react to other events than that which asked for the delivery.
    if (!this.reaction.types.has(type)) return undefined;
    try {
      const [event] = await log.readStream(log.streams.withPrefix(stream), { from: revision, limit: 1 });
      if (!event) throw new Error('The event is not in the log.');
      await limited(() => this.reaction.deliver(event, { key: deliveryId }));
      return undefined;
    } catch (error) {
      return redact(error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR);
    }
  }

  async #park({ deliveryId, type, stream, revision }: Delivery, attempts: readonly Attempt[]): Promise<void> {
    if (!(await this.lease.confirm())) throw new TakenOver('The lease is lost.');
    const data = { deliveryId, type, stream, revision, attempts };
    await this.stream.send({ type: 'ParkDelivery', data });
  }
}

/** A handler may throw at once, or never answer. */
function limited(work: () => Promise<unknown>): Promise<unknown> {
  const never = new AbortController().signal;
  return withTimeLimit(never, LONGEST_MS, (late) => settledBy(late, Promise.resolve().then(work)));
}
