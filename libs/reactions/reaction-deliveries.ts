import { ChangeSignal, type EventLog } from '#lib/event-store';
import { type RecordedEvent, thrownText } from '#lib/kernel';
import { type HeldLease, settledBy, type Time, withTimeLimit } from '#lib/workflow';
import type { Delivery } from './deliveries.tables.js';
import type { PendingDeliveries } from './pending-deliveries.js';
import { DeliveryFailed, type Reaction } from './reaction.js';
import type { Attempt } from './reaction.events.js';
import type { ReactionStream } from './reaction-stream.js';
import { TakenOver } from './taken-over.js';

/** The time after which a handler has failed. */
const LONGEST_MS = 5 * 60_000;
/** Characters of an error that are kept. */
const LONGEST_ERROR = 1_000;
/** The longest pause that a receiver can ask for. */
const LONGEST_PAUSE_MS = 24 * 60 * 60_000;

/** A delivery after one attempt. */
interface Attempted {
  readonly attempt: Attempt;
  /** Present if it failed. */
  readonly failed?: DeliveryFailed['how'];
}

/** The parts of deliveries. */
export interface DeliveryParts {
  readonly log: EventLog;
  readonly time: Time;
  /** Takes secrets out of the errors of handlers. */
  readonly redact: (text: string) => string;
}

/** Makes the deliveries of one reaction that are due, while its lease is held. */
export class ReactionDeliveries {
  /** Deliveries that were settled since the last mark. */
  settled = 0;
  readonly #changed = new ChangeSignal();
  readonly #running = new Map<string, Promise<void>>();
  #failed: { readonly error: unknown } | undefined;
  /** No delivery begins before this time: the receiver is under load. */
  #heldUntil = 0;

  constructor(
    private readonly parts: DeliveryParts,
    private readonly reaction: Reaction,
    private readonly pending: PendingDeliveries,
    private readonly stream: ReactionStream,
    private readonly lease: HeldLease,
  ) {}

  /** Looks again for deliveries to make. */
  wake(): void {
    this.#changed.announce();
  }

  /**
   * Delivers until the signal aborts, then until the running deliveries have ended.
   * @param between called after each change. @returns the milliseconds after which it has to be called again
   * @throws TakenOver, StoreUnavailable: they end the turn
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

  /** @returns the milliseconds until the next delivery is due, if one that does not run has a time */
  async #begin(): Promise<number | undefined> {
    // Before the rows are read: a delivery that ends meanwhile is still among them.
    const running = new Set(this.#running.keys());
    const now = this.parts.time.now().getTime();
    if (now < this.#heldUntil) return this.#heldUntil - now;
    const first = await this.pending.first(this.reaction.slots + running.size);
    for (const delivery of first) {
      if (running.has(keyOf(delivery))) continue;
      if ((delivery.dueAt ?? 0) > now) return (delivery.dueAt ?? 0) - now;
      if (this.#running.size === this.reaction.slots) return undefined;
      this.#start(delivery);
    }
    return undefined;
  }

  #start(delivery: Delivery): void {
    const ended = this.#attempt(delivery)
      .catch((error: unknown) => void (this.#failed ??= { error }))
      .finally(() => {
        this.#running.delete(keyOf(delivery));
        this.wake();
      });
    this.#running.set(keyOf(delivery), ended);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    if (!(await this.lease.confirm())) throw new TakenOver('The lease is lost.');
    const attempted = await this.#deliver(delivery);
    if (!attempted) return this.#settled(delivery, this.parts.time.now().getTime());
    const { attempt, failed } = attempted;
    const now = Date.parse(attempt.at);
    const attempts = [...delivery.attempts, attempt];
    if (failed?.holdsMs !== undefined)
      this.#heldUntil = Math.max(this.#heldUntil, now + Math.min(failed.holdsMs, LONGEST_PAUSE_MS));
    if (failed) {
      const pauseMs = this.#pauseMs(attempts.length, delivery, failed);
      if (pauseMs !== undefined) return this.pending.postpone(delivery, attempts, now + pauseMs);
      await this.#park(delivery, attempts);
    }
    const { kept } = this.reaction;
    await this.#settled(delivery, now, failed || kept === 0 ? undefined : { ...delivery, attempts, kept });
  }

  async #settled(...settled: Parameters<PendingDeliveries['settle']>): Promise<void> {
    await this.pending.settle(...settled);
    this.settled += 1;
  }

  #pauseMs(failures: number, { deliveryId }: Delivery, { isFinal, afterMs = 0 }: DeliveryFailed['how']) {
    const pauseMs = isFinal ? undefined : this.reaction.pauseMs(failures, deliveryId);
    return pauseMs === undefined ? undefined : Math.max(pauseMs, Math.min(afterMs, LONGEST_PAUSE_MS));
  }

  /** @returns nothing if the current code does not react to the event: the delivery is dropped */
  async #deliver({ stream, revision, type, deliveryId }: Delivery): Promise<Attempted | undefined> {
    const { log, redact } = this.parts;
    let event: RecordedEvent | undefined;
    try {
      [event] = await log.readStream(log.streams.withPrefix(stream), { from: revision, limit: 1 });
      const found = event;
      if (!found) throw new Error('The event is not in the log.');
      return await limited(async () => {
        const asked = await this.reaction.asks(found);
        if (!asked.includes(type)) return undefined;
        const answered = await this.reaction.deliver(found, { key: deliveryId, type });
        return { attempt: { at: this.#now(), ...(answered?.status !== undefined && answered) } };
      });
    } catch (error) {
      const failed = error instanceof DeliveryFailed ? error.how : {};
      const text = redact(errorText(error, event)).slice(0, LONGEST_ERROR);
      const status = failed.status !== undefined && { status: failed.status };
      return { attempt: { at: this.#now(), ...status, error: text }, failed };
    }
  }

  #now(): string {
    return this.parts.time.now().toISOString();
  }

  async #park({ deliveryId, type, stream, revision }: Delivery, attempts: readonly Attempt[]): Promise<void> {
    if (!(await this.lease.confirm())) throw new TakenOver('The lease is lost.');
    const { life } = this.reaction;
    const data = { deliveryId, type, stream, revision, attempts, life };
    await this.stream.send({ type: 'ParkDelivery', data });
  }
}

/** The stream of a reaction has no subject: the text of an error about an event with one is not recorded. */
function errorText(error: unknown, event: RecordedEvent | undefined): string {
  const isOfCode = !(error instanceof DeliveryFailed);
  if (isOfCode && event?.metadata.keyId !== undefined)
    return `${error instanceof Error ? error.name : 'Something'} was thrown; its text is not kept, for the event is about a subject.`;
  return thrownText(error);
}

/** The key of a delivery in the rows of its reaction. */
function keyOf({ at, type }: Pick<Delivery, 'at' | 'type'>): string {
  return `${at} ${type}`;
}

/** A handler may throw at once, or never answer. */
function limited<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const never = new AbortController().signal;
  return withTimeLimit(never, LONGEST_MS, (late) => settledBy(late, Promise.resolve().then(work)));
}
