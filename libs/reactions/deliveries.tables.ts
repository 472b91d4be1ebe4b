import { sql } from 'kysely';
import {
  freeText,
  json,
  optional,
  plain,
  type RecordOf,
  type SchemaOf,
  statement,
  table,
  uuid,
} from '#lib/read-models';
import type { Attempt } from './reaction.events.js';

/**
 * The places that the reactions of this read store have reached. No loop fills these tables, and a rebuild leaves them: their content is not
 * in the log. A store without them begins from the marks in the log.
 */
export const placesTable = table(
  'reaction_places_v2',
  {
    name: 'text',
    /** The position of the last event that was read; "" before the first. */
    reached: 'text',
    /** The stream and the revision of that event. */
    stream: optional(plain('text')),
    revision: optional(plain('bigint')),
    /** The life of the reaction: rows of an earlier reaction of the same name are not continued. */
    life: 'bigint',
    /** The fencing token of the lease under which the rows of the reaction are changed. */
    token: 'bigint',
  },
  ['name'],
);

/** The address to which the waiting deliveries of each reaction were last made. */
export const addressesTable = table('reaction_addresses_v1', { reaction: 'text', address: 'text' }, [
  'reaction',
]);

/** The deliveries that wait. Only the first delivery of a key has a time, so that the others of its session wait behind it. */
export const deliveriesTable = table(
  'reaction_deliveries_v2',
  {
    reaction: 'text',
    /** The number in the position of the event that asks for the delivery. */
    at: 'bigint',
    delivery_id: uuid,
    key: freeText,
    type: 'text',
    stream: 'text',
    revision: 'bigint',
    /** The revision, in the stream of the reaction, of the event that asks for it again. */
    retry: optional(plain('bigint')),
    /** Epoch milliseconds. */
    due_at: optional(plain('bigint')),
    attempts: json<readonly Attempt[]>(),
  },
  ['reaction', 'at', 'type'],
  [
    ['due_at', 'reaction'],
    ['reaction', 'key', 'at'],
    ['reaction', 'delivery_id'],
  ],
);

/** The last deliveries that were made, of reactions that keep some. */
export const deliveredTable = table(
  'reaction_delivered_v1',
  {
    reaction: 'text',
    at: 'bigint',
    type: 'text',
    delivery_id: uuid,
    attempts: json<readonly Attempt[]>(),
  },
  ['reaction', 'at', 'type'],
  [['reaction', 'delivery_id']],
);

export type PlaceRow = RecordOf<typeof placesTable>;
export type Delivery = RecordOf<typeof deliveriesTable>;
/** The tables of deliveries. */
export const deliveryTables = [placesTable, addressesTable, deliveriesTable, deliveredTable] as const;
export type DeliveryTables = SchemaOf<(typeof deliveryTables)[number]>;

const { due_at: _, ...given } = deliveriesTable.columns;
const { reaction, key } = given;

/** Removes the oldest of the made deliveries, except `kept` of them. */
export const keepDelivered = statement({ reaction, kept: 'bigint' }, (db, { reaction: name, kept }) => {
  const ofReaction = db.withTables<DeliveryTables>();
  const oldest = ofReaction
    .selectFrom('reaction_delivered_v1 as newer')
    .select('newer.at')
    .where('newer.reaction', '=', name)
    .orderBy('newer.at', 'desc')
    .limit(1)
    .offset(kept);
  return ofReaction
    .deleteFrom('reaction_delivered_v1')
    .where('reaction', '=', name)
    .where('at', '<=', oldest);
});

/** A lease that was taken later keeps the place. */
export const takePlace = statement({ name: 'text', token: 'bigint' }, (db, { name, token }) =>
  db
    .withTables<DeliveryTables>()
    .updateTable('reaction_places_v2')
    .set({ token })
    .where('name', '=', name)
    .where('token', '<=', token),
);

/** Adds a delivery, once: due now if no other one of its key waits. */
export const addDelivery = statement({ ...given, now: 'bigint' }, (db, { now, ...row }) => {
  const waiting = db
    .withTables<DeliveryTables>()
    .selectFrom('reaction_deliveries_v2')
    .select('at')
    .where('reaction', '=', row.reaction)
    .where('key', '=', row.key);
  const dueAt = sql<number | null>`case when exists ${waiting} then null else cast(${now} as bigint) end`;
  return db
    .withTables<DeliveryTables>()
    .insertInto('reaction_deliveries_v2')
    .values({ ...row, due_at: dueAt })
    .onConflict((conflict) => conflict.doNothing());
});

/** Deliveries that wait for a time become due now. */
export const endPauses = statement({ reaction, now: 'bigint' }, (db, { reaction: name, now }) =>
  db
    .withTables<DeliveryTables>()
    .updateTable('reaction_deliveries_v2')
    .set({ due_at: now })
    .where('reaction', '=', name)
    .where('due_at', '>', now),
);

/** The first delivery of a key becomes due, if it has no time. */
export const makeFirstDue = statement({ reaction, key, now: 'bigint' }, (db, row) => {
  const first = db
    .withTables<DeliveryTables>()
    .selectFrom('reaction_deliveries_v2 as one')
    .where('one.reaction', '=', row.reaction)
    .where('one.key', '=', row.key)
    .orderBy('one.at')
    .orderBy('one.type')
    .limit(1);
  return db
    .withTables<DeliveryTables>()
    .updateTable('reaction_deliveries_v2')
    .set({ due_at: row.now })
    .where('reaction', '=', row.reaction)
    .where('at', '=', first.select('one.at'))
    .where('type', '=', first.select('one.type'))
    .where('due_at', 'is', null);
});
