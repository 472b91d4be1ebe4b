import { present } from '#lib/kernel';
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createTables } from '../store/create-tables.js';
import { flag, type SqlValue, uuid } from '../store/columns.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce, updateRow } from '../store/row-changes.js';
import { asCondition, type Change, statement } from '../store/statement.js';
import { type RecordOf, recordOf, type SchemaOf, table } from '../store/table.js';
import type { LoopModels } from './declare.js';
import { ROWS_VERSION } from './folded-table.js';
import { tableIn } from './record-codec.js';
import type { Slot } from './slot.js';

/** The places of the slots of each loop. */
const loopsTable = table(
  'read_loops_v2',
  {
    /** The name of the loop and the version of its tables. */
    loop: 'text',
    slot: 'text',
    /** New whenever the tables of the slot are made: a page for dropped tables is not stored in their successors. */
    made_id: uuid,
    /** The position of the last folded event; "" before the first. */
    position: 'text',
    /** The number of that event. */
    number: 'bigint',
    /** The number of streams that stand still. */
    standing_still: 'bigint',
    /** Queries read this slot. A row of the other slot means that it is being filled. */
    is_served: flag,
    /** The head of the log when filling began; "" for rows of the past, and for first slots of older builds. */
    filling_until: 'text',
  },
  ['loop', 'slot'],
);

export type LoopPlace = RecordOf<typeof loopsTable>;
type Tables = SchemaOf<typeof loopsTable>;

const PLACE = ['loop', 'slot', 'made_id', 'position'] as const;
const addPlaceOnce = insertRowOnce(loopsTable);
const servePlace = updateRow(loopsTable, PLACE, ['is_served']);

const endPlace = statement(
  { loop: 'text', slot: 'text', made_id: uuid, until: 'text' },
  (db, { loop, slot, made_id, until }) =>
    db
      .withTables<Tables>()
      .deleteFrom('read_loops_v2')
      .where('loop', '=', loop)
      .where('slot', '=', slot)
      .where('made_id', '=', made_id)
      .where('position', '<=', until),
);

const endFilling = statement({ loop: 'text', slot: 'text' }, (db, { loop, slot }) =>
  db
    .withTables<Tables>()
    .deleteFrom('read_loops_v2')
    .where('loop', '=', loop)
    .where('slot', '=', slot)
    .where('is_served', '=', 0),
);

const movePlace = statement(
  {
    loop: 'text',
    slot: 'text',
    made_id: uuid,
    from: 'text',
    to: 'text',
    number: 'bigint',
    standing_still: 'bigint',
  },
  (db, { loop, slot, made_id, from, to, number, standing_still }) =>
    db
      .withTables<Tables>()
      .updateTable('read_loops_v2')
      .set({ position: to, number, standing_still })
      .where('loop', '=', loop)
      .where('slot', '=', slot)
      .where('made_id', '=', made_id)
      .where('position', '=', from),
);

/** Whether rows read at one of these places equal those at the other. */
export function isSamePlace(one: LoopPlace | undefined, other: LoopPlace | undefined): boolean {
  return one?.madeId === other?.madeId && one?.position === other?.position;
}

/** A compare-and-set: a page is not stored if another process was first, or if the tables were dropped since. */
export function moveTo(
  from: LoopPlace,
  to: Pick<LoopPlace, 'position' | 'number' | 'standingStill'>,
): Change {
  const { loop, slot, madeId, position } = from;
  const { position: next, ...moved } = to;
  const move = movePlace({ loop, slot, madeId, from: position, to: next, ...moved });
  return { ...asCondition(move), awaited: true };
}

/** The places of a loop: of the served slot, and of the slot being filled. */
export async function placesOf(
  db: Kysely<ReadSchema>,
  loop: string,
): Promise<{ readonly served?: LoopPlace; readonly filling?: LoopPlace }> {
  const rows = await db
    .withTables<Tables>()
    .selectFrom('read_loops_v2')
    .selectAll()
    .where('loop', '=', loop)
    .execute();
  const places = rows.map((row) => recordOf(loopsTable, row));
  const [served, filling] = [places.find((one) => one.isServed), places.find((one) => !one.isServed)];
  return present({ served, filling });
}

/** The position of the last event of a log in the rows of a store. @returns "" if there is none @throws StoreUnavailable */
export async function lastFolded(store: ReadStore, logId: string): Promise<string> {
  await store.write(createLoops);
  const rows = await store.db.withTables<Tables>().selectFrom('read_loops_v2').select('position').execute();
  const positions = rows.map(({ position }) => position).filter((one) => one.startsWith(`${logId}.`));
  return positions.toSorted().at(-1) ?? '';
}

/** The name of a loop's table in the served slot: rows are deleted there, not in the view. */
export async function servedTable(
  db: Kysely<ReadSchema>,
  { name, version = ROWS_VERSION }: LoopModels,
  table: string,
): Promise<string | undefined> {
  const { served } = await placesOf(db, `${name} v${version}`);
  return served && tableIn(served.slot, table);
}

/** Creates only the table of places. */
export const createLoops: readonly Change[] = createTables([loopsTable]);

/** The first slot of a loop, served from its first event on. Not stored if another process was first. */
export function firstSlot(loop: string, slot: Slot, fillingUntil = ''): readonly Change[] {
  return [
    asCondition(addPlaceOnce({ ...placeOfNew(loop, slot), isServed: true, fillingUntil })),
    ...dropViews(slot),
    ...makeTables(slot),
    ...createViews(slot),
  ];
}

/** Empty tables beside the served ones, in place of those being filled. Not stored if the slot is served. */
export function secondSlot(loop: string, slot: Slot, fillingUntil: string): readonly Change[] {
  return [
    endFilling({ loop, slot: slot.name }),
    asCondition(addPlaceOnce({ ...placeOfNew(loop, slot), isServed: false, fillingUntil })),
    ...makeTables(slot),
  ];
}

function placeOfNew(loop: string, slot: Slot) {
  return { loop, slot: slot.name, madeId: randomUUID(), position: '', number: 0, standingStill: 0 };
}

/** Empty tables. Without `creates`: only the process that has added the place makes them. */
function makeTables(slot: Slot): readonly Change[] {
  return [...dropTables(slot), ...createTables(slot.tables).map(({ creates: _, ...create }) => create)];
}

/**
 * Makes queries read the filled slot, and removes the tables of the other one. Not stored if that one is further, or the filled
 * one has moved.
 * @param analystViews are made again: PostgreSQL drops views with their tables
 */
export function serveInstead(
  served: { readonly place: LoopPlace; readonly slot: Slot },
  filled: { readonly place: LoopPlace; readonly slot: Slot },
  analystViews: readonly Change[],
): readonly Change[] {
  return [
    asCondition(endPlace({ ...served.place, until: filled.place.position })),
    asCondition(servePlace({ ...filled.place, isServed: true })),
    ...dropViews(filled.slot),
    ...createViews(filled.slot),
    ...analystViews,
    ...dropTables(served.slot),
  ];
}

function dropTables({ tables }: Slot): readonly Change[] {
  return tables.map(({ name }) => ddl((db) => db.schema.dropTable(name).ifExists()));
}

function dropViews({ views }: Slot): readonly Change[] {
  return views.map((view) => ddl((db) => db.schema.dropView(view).ifExists()));
}

/** Queries use the same names, whichever slot is served. */
function createViews({ tables, views }: Slot): readonly Change[] {
  return views.map((view, index) => createView(view, tables[index]?.name ?? ''));
}

function createView(view: string, of: string): Change {
  return ddl((db) => {
    const tables = db.withTables<Record<string, Record<string, SqlValue>>>();
    return db.schema.createView(view).as(tables.selectFrom(of).selectAll());
  });
}

function ddl(build: Parameters<typeof statement>[1]): Change {
  return statement({}, build)({});
}
