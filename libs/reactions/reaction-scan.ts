import type { EventLog } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { type LogEvent, type LogReader, storedPosition } from '#lib/read-models';
import type { Time } from '#lib/workflow';
import type { Origins } from './origin.js';
import type { AskedDelivery, EndedDelivery, PendingDeliveries, Reached } from './pending-deliveries.js';
import { deliveryIdOf, type Reaction } from './reaction.js';
import type { Place, ReactionEvent } from './reaction.events.js';
import { placeIn } from './reaction-stream.js';

/** The parts of a scan. */
export interface ScanParts {
  readonly log: EventLog;
  readonly reader: LogReader;
  readonly origins: Origins;
  readonly time: Time;
}

/** Follows the log for one reaction, and stores its deliveries. */
export class ReactionScan {
  /** Events since the last mark that asked for no delivery. */
  passed = 0;
  readonly #own: string;

  constructor(
    private readonly parts: ScanParts,
    private readonly reaction: Reaction,
    private readonly pending: PendingDeliveries,
    private reached: Reached,
  ) {
    this.#own = parts.log.streams.of('reaction', reaction.name);
  }

  /** The last event whose page is stored. */
  get place(): Place | undefined {
    return this.reached.place;
  }

  /** @param kept called after each page that is stored @throws TakenOver @throws UndecodableEvent @throws StoreUnavailable */
  async follow(signal: AbortSignal, kept: () => void): Promise<void> {
    const { reader, time, log } = this.parts;
    for await (const page of reader.follow(this.reached.position, signal)) {
      await this.reaction.beforePage?.(page);
      const last = page.at(-1)?.stored;
      if (!last || signal.aborted) continue;
      const [asked, ended] = await this.#read(page);
      const reached = { position: last.position, place: placeIn(log, last) };
      await this.pending.add(reached, asked, ended, time.now().getTime());
      this.reached = reached;
      this.passed += page.length - asked.length;
      kept();
    }
  }

  async #read(
    page: readonly LogEvent[],
  ): Promise<readonly [readonly AskedDelivery[], readonly EndedDelivery[]]> {
    const asked: AskedDelivery[] = [];
    const ended: EndedDelivery[] = [];
    for (const event of page) {
      const at = storedPosition(event.stored.position);
      if (event.stored.stream === this.#own) {
        const own = await this.#decoded<ReactionEvent>(event);
        if (own.type === 'DeliveryRetried') asked.push({ ...(await this.#again(own)), at });
        if (own.type === 'DeliveryParked' || own.type === 'DeliveryDropped')
          ended.push(...(await this.#before(own.data.deliveryId, at, asked)));
      } else if (this.reaction.types.has(event.stored.type)) {
        const found = await this.#decoded(event);
        if (await this.parts.origins.isLive(found))
          for (const type of await this.reaction.asks(found)) asked.push({ ...this.#of(found, type), at });
      }
    }
    return [asked, ended];
  }

  /** The deliveries of an event that were asked for before it was parked or dropped, also in this page. */
  async #before(
    deliveryId: string,
    at: number,
    asked: readonly AskedDelivery[],
  ): Promise<readonly EndedDelivery[]> {
    const all = [
      ...(await this.pending.of(deliveryId)),
      ...asked.filter((one) => one.deliveryId === deliveryId),
    ];
    return all.filter((one) => one.at < at);
  }

  async #again({
    revision: retry,
    data,
  }: RecordedEvent<Extract<ReactionEvent, { type: 'DeliveryRetried' }>>): Promise<Omit<AskedDelivery, 'at'>> {
    const { stream, revision, deliveryId, type } = data;
    const { log } = this.parts;
    const [event] = await log.readStream(log.streams.withPrefix(stream), { from: revision, limit: 1 });
    return { deliveryId, type, stream, revision, retry, key: event?.metadata.correlationId ?? stream };
  }

  #of(event: RecordedEvent, type: string): Omit<AskedDelivery, 'at'> {
    const place = placeIn(this.parts.log, event);
    const deliveryId = deliveryIdOf(this.reaction.name, place, type);
    return { ...place, deliveryId, type, key: event.metadata.correlationId };
  }

  async #decoded<E extends RecordedEvent | ReactionEvent = RecordedEvent>(event: LogEvent) {
    const whole = event.isInParts() ? await event.whole() : event;
    return whole.decoded() as RecordedEvent & E;
  }
}
