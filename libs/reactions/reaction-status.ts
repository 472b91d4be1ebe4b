import { type EventLog, sequenceOf } from '#lib/event-store';
import type { ReadStore } from '#lib/read-models';
import { type DeliveryTables, deliveriesTable, placesTable } from './deliveries.tables.js';

/** The place of a reaction in the log. */
interface ReactionStatus {
  readonly position: string | null;
  readonly lag: number | null;
}

/** The places of reactions in the log, whichever process runs them. */
export class ReactionPlaces {
  constructor(
    private readonly log: EventLog,
    private readonly store: ReadStore,
  ) {}

  async statusOf(name: string): Promise<ReactionStatus> {
    const { db } = this.store;
    const head = await this.log.store.head();
    const tables = db.withTables<DeliveryTables>();
    const place = await tables
      .selectFrom(placesTable.name)
      .select('reached')
      .where('name', '=', name)
      .executeTakeFirst();
    const { waiting } = await tables
      .selectFrom(deliveriesTable.name)
      .select((eb) => eb.fn.countAll<number>().as('waiting'))
      .where('reaction', '=', name)
      .executeTakeFirstOrThrow();
    const position = place && place.reached !== '' ? place.reached : null;
    const unread = place ? this.#between(place.reached, head) : null;
    return { position, lag: unread === null ? null : unread + waiting };
  }

  /** Events of blobs in between count, too. */
  #between(reached: string, head: string | undefined): number | null {
    const { logId, positionsAreGapFree } = this.log.store;
    if (head === undefined || reached >= head) return 0;
    if (positionsAreGapFree !== true) return null;
    const done = reached === '' ? 0n : sequenceOf(logId, reached);
    return Number(sequenceOf(logId, head) - done);
  }
}
