import { type Page, pageOf, type PageRequest, recordOf, type Rows, storedUuid } from '#lib/read-models';
import type { EventLog } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { type AskedAgain, askedAgain } from './asked-again.js';
import { deliveredTable, deliveriesTable, type DeliveryTables } from './deliveries.tables.js';
import type { Attempt } from './reaction.events.js';
import { parkedTable, type ReactionTables } from './reactions.read-model.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'parked'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery of a reaction, in any status. */
export interface FoundDelivery {
  readonly deliveryId: string;
  readonly type: string;
  readonly status: DeliveryStatus;
  readonly attempts: readonly Attempt[];
}

/** The number in the position of the event that asked for it, or parked it. */
type Placed = FoundDelivery & { readonly at: number };

type Db = Rows<'reactions'>;

/** The log and the rows with the deliveries. */
interface Where {
  readonly log: EventLog;
  readonly db: Db;
}

/** Deliveries of one status, the newest first. @param below keys that came before */
type Source = (
  db: Db,
  reaction: string,
  below: readonly [at: number, type: string],
  limit: number,
) => Promise<readonly Placed[]>;

const SOURCES: { readonly [Status in DeliveryStatus]: Source } = {
  pending: async (db, reaction, [at, type], limit) => {
    const rows = await waiting(db, reaction)
      .where((eb) => eb.or([eb('at', '<', at), eb.and([eb('at', '=', at), eb('type', '<', type)])]))
      .orderBy('at', 'desc')
      .orderBy('type', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...recordOf(deliveriesTable, row), status: 'pending' }));
  },
  delivered: async (db, reaction, [at, type], limit) => {
    const rows = await made(db, reaction)
      .where((eb) => eb.or([eb('at', '<', at), eb.and([eb('at', '=', at), eb('type', '<', type)])]))
      .orderBy('at', 'desc')
      .orderBy('type', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...recordOf(deliveredTable, row), status: 'delivered' }));
  },
  parked: async (db, reaction, [at, type], limit) => {
    const rows = await parked(db, reaction)
      .where((eb) => eb.or([eb('number', '<', at), eb.and([eb('number', '=', at), eb('type', '<', type)])]))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => {
      const { number, ...found } = recordOf(parkedTable, row);
      return { ...found, at: number, status: 'parked' };
    });
  },
};

/** The deliveries of a reaction, the newest first. @param status default: all */
export function listDeliveries<Item>(
  { log, db }: Where,
  reaction: string,
  status: DeliveryStatus | undefined,
  request: PageRequest,
  itemOf: (found: FoundDelivery) => Item,
): Promise<Page<Item> | Rejection> {
  const sources = status === undefined ? DELIVERY_STATUSES : [status];
  return pageOf<Placed, Item>(request, {
    list: `deliveries of ${reaction} ${status ?? ''}`,
    read: async (after, limit) => {
      const below = belowKey(after);
      // Read first: deliveries that the reaction reaches meanwhile are among the rows, too.
      const again = sources.includes('pending') ? await unread({ log, db }, reaction, below[0], limit) : [];
      const found = (
        await Promise.all(sources.map((one) => SOURCES[one](db, reaction, below, limit)))
      ).flat();
      const listed = new Set(found.map(keyOf));
      const all = [...found, ...again.filter((one) => !listed.has(keyOf(one)))];
      return all.toSorted(newestFirst).slice(0, limit);
    },
    keyOf,
    toItems: (rows) => rows.map((row) => itemOf(shown(row))),
  });
}

/** Deliveries below a number that are asked for again and that the reaction has not reached. */
async function unread({ log, db }: Where, reaction: string, below: number, limit: number): Promise<Placed[]> {
  const found: Placed[] = [];
  for await (const one of askedAgain(log, db, reaction)) {
    if (found.length === limit) break;
    if (one.at < below) found.push(pendingAgain(one));
  }
  return found;
}

function pendingAgain(one: AskedAgain): Placed {
  return { ...one, status: 'pending', attempts: [] };
}

/** A delivery of a reaction that waits, or was made and is kept. */
export async function findDelivery(
  { log, db }: Where,
  reaction: string,
  deliveryId: string,
): Promise<FoundDelivery | undefined> {
  for await (const one of askedAgain(log, db, reaction))
    if (one.deliveryId === deliveryId) return shown(pendingAgain(one));
  const id = storedUuid(deliveryId);
  const pending = await waiting(db, reaction).where('delivery_id', '=', id).limit(1).executeTakeFirst();
  if (pending) return shown({ ...recordOf(deliveriesTable, pending), status: 'pending' });
  const delivered = await made(db, reaction).where('delivery_id', '=', id).limit(1).executeTakeFirst();
  return delivered && shown({ ...recordOf(deliveredTable, delivered), status: 'delivered' });
}

function shown({ deliveryId, type, status, attempts }: FoundDelivery): FoundDelivery {
  return { deliveryId, type, status, attempts };
}

function keyOf({ at, type }: Placed): string {
  return `${at} ${type}`;
}

function belowKey(key: string | undefined): readonly [number, string] {
  if (key === undefined) return [Number.MAX_SAFE_INTEGER, ''];
  const [at = '', type = ''] = key.split(' ');
  return [Number(at), type];
}

function newestFirst(one: Placed, other: Placed): number {
  return other.at - one.at || (one.type < other.type ? 1 : -1);
}

function waiting(db: Db, reaction: string) {
  const all = db.withTables<DeliveryTables>().selectFrom(deliveriesTable.name).selectAll();
  return all.where('reaction', '=', reaction);
}

function made(db: Db, reaction: string) {
  const all = db.withTables<DeliveryTables>().selectFrom(deliveredTable.name).selectAll();
  return all.where('reaction', '=', reaction);
}

function parked(db: Db, reaction: string) {
  const all = db.withTables<ReactionTables>().selectFrom(parkedTable.name).selectAll();
  return all.where('reaction', '=', reaction);
}
