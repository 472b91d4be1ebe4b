import type { Rejection } from '#lib/kernel';
import type { MachineDefinition, MachineEvent } from '#lib/decisions/machines';
import type { Page, PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { flag, hidden, json } from '../store/columns.js';
import { insertRow } from '../store/row-changes.js';
import type { Rows } from '../store/rows.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { statement } from '../store/statement.js';
import { pick, recordOf, type RecordOf, table } from '../store/table.js';

export const machinesTable = table(
  'machines_v3',
  {
    machine_name: 'text',
    version: 'integer',
    hash: 'text',
    definition: json<MachineDefinition>(),
    /** The version that was defined last. */
    is_current: hidden(flag),
  },
  ['machine_name', 'version'],
);

const addMachine = insertRow(machinesTable);

/** The version with this number is the current one, and no other. */
const setCurrent = statement(
  pick(machinesTable.columns, ['machine_name', 'version']),
  (db, { machine_name, version }) =>
    db
      .updateTable('machines_v3')
      .set((eb) => ({
        is_current: eb.case().when('version', '=', version).then(eb.lit(1)).else(eb.lit(0)).end(),
      }))
      .where('machine_name', '=', machine_name),
);

const onMachine: Required<Handlers<MachineEvent>> = {
  MachineDefined: ({ data }) => [addMachine({ ...data, isCurrent: true }), setCurrent(data)],
  MachineDefinedAgain: ({ data }) => [setCurrent(data)],
};

/** Every version of every machine. */
export const machinesProjection: Projection<'machines'> = {
  name: 'machines',
  version: 3,
  tables: [machinesTable],
  on: { machine: onMachine },
};

/** One version of a machine. */
export type MachineRecord = RecordOf<typeof machinesTable>;

/** A version of a machine, the current one if none is named; `undefined` if there is no such version. */
export async function getMachine(
  db: Rows<'machines'>,
  name: string,
  version?: number,
): Promise<MachineRecord | undefined> {
  const versions = db.selectFrom('machines_v3').selectAll().where('machine_name', '=', name);
  const one =
    version === undefined ? versions.where('is_current', '=', 1) : versions.where('version', '=', version);
  const row = await one.executeTakeFirst();
  return row && recordOf(machinesTable, row);
}

/** The current version of each machine, by name. */
export function listMachines(
  db: Rows<'machines'>,
  request: PageRequest = {},
): Promise<Page<MachineRecord> | Rejection> {
  return pageOfRows(request, {
    list: 'machines',
    rows: db.selectFrom('machines_v3').selectAll().where('is_current', '=', 1),
    table: machinesTable,
    by: 'machine_name',
    toItems: (rows) => rows.map((row) => recordOf(machinesTable, row)),
  });
}

/** Whether a machine was ever defined, or a session ever ran one of this name. */
export async function isKnownMachine(db: Rows<'machines' | 'sessions'>, name: string): Promise<boolean> {
  const defined = db.selectFrom('machines_v3').select('machine_name').where('machine_name', '=', name);
  if (await defined.limit(1).executeTakeFirst()) return true;
  const run = db.selectFrom(sessionsTable.name).select('machine_name').where('machine_name', '=', name);
  return (await run.limit(1).executeTakeFirst()) !== undefined;
}
