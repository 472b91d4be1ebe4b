import type { EventStore } from '#lib/event-store';
import { RedialError } from '#lib/kernel';
import type { Kysely } from 'kysely';
import { createTables } from '../store/create-tables.js';
import { insertRowOnce, updateRow } from '../store/row-changes.js';
import type { ReadSchema } from '../store/read-schema.js';
import { asCondition, type Change, statement } from '../store/statement.js';
import { type RowOf, type Table, table } from '../store/table.js';
import type { Projection } from './projection.js';

/** How far each projection has come. `position` is "" before the first event. */
export const checkpointsTable = table(
  'checkpoints',
  {
    name: 'text',
    version: 'integer',
    position: 'text',
    /** The head of the log when a rebuild began; "" if none did. */
    rebuilding_until: 'text',
  },
  ['name', 'version'],
);

export type Checkpoint = RowOf<typeof checkpointsTable>;
type Named = Pick<Projection, 'name' | 'version'>;

const addCheckpoint = insertRowOnce(checkpointsTable);
const rewind = updateRow(checkpointsTable, ['name', 'version'], ['position', 'rebuilding_until']);

const move = statement(
  { name: 'text', version: 'integer', from: 'text', to: 'text' },
  (db, { name, version, from, to }) =>
    db
      .updateTable('checkpoints')
      .set({ position: to })
      .where('name', '=', name)
      .where('version', '=', version)
      .where('position', '=', from),
);

const emptied = new Map<string, Change>();

/** The tables of projections and a checkpoint for each, if they do not exist. */
export function prepareProjections(projections: readonly Projection[]): readonly Change[] {
  return [
    ...createTables([checkpointsTable, ...projections.flatMap(({ tables }) => tables)]),
    ...projections.map(({ name, version }) =>
      addCheckpoint({ name, version, position: '', rebuildingUntil: '' }),
    ),
  ];
}

/** A compare-and-set: a transaction that finds another checkpoint than it read is rolled back as a whole. */
export function moveCheckpoint({ name, version }: Named, from: string, to: string): Change {
  return asCondition(move({ name, version, from, to }));
}

/** Empties the tables and starts over: in one transaction, so a death in between leaves the old rows or none. */
export function rewindProjection({ name, version, tables }: Projection, until: string): readonly Change[] {
  return [
    asCondition(rewind({ name, version, position: '', rebuildingUntil: until })),
    ...tables.map(emptyTable),
  ];
}

function emptyTable({ name }: Table): Change {
  const known = emptied.get(name) ?? statement({}, (db) => db.deleteFrom(name as keyof ReadSchema))({});
  emptied.set(name, known);
  return known;
}

/** The checkpoints of these projections, in their order. */
export async function readCheckpoints(
  db: Kysely<ReadSchema>,
  projections: readonly Named[],
): Promise<readonly Checkpoint[]> {
  const rows = await db.selectFrom('checkpoints').selectAll().execute();
  return projections.map(({ name, version }) => {
    const row = rows.find((one) => one.name === name && one.version === version);
    return row ?? { name, version, position: '', rebuilding_until: '' };
  });
}

/** The read store was filled from another log, or from one that has lost events since. */
export class CheckpointMismatch extends RedialError {}

const FIX =
  'Point the settings at the read store that belongs to this log, or remove the read store: it is filled again from the log';

/** `head` must have been read after the checkpoints: then no checkpoint can have passed it. @throws CheckpointMismatch */
export function checkCheckpoint(
  { name, version, position }: Checkpoint,
  { logId }: Pick<EventStore, 'logId'>,
  head: string | undefined,
): void {
  if (position === '') return;
  const what = `projection ${name} version ${version} cannot go on from ${position}`;
  if (!position.startsWith(`${logId}.`)) {
    throw new CheckpointMismatch(what, `it is not a position of the log ${logId}`, FIX);
  }
  if (head === undefined || position > head) {
    throw new CheckpointMismatch(what, `the log ends ${head === undefined ? 'empty' : `at ${head}`}`, FIX);
  }
}
