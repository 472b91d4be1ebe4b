import type { Rejection } from '#lib/kernel';
import type { MachineDefinition, MachineEvent } from '#lib/decisions/machines';
import type { Page, PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { documents, facts, type Folds, type ReadModel, type Ref } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import { sessionsTable } from '../sessions/sessions.tables.js';
import { json } from '../store/columns.js';
import type { Rows } from '../store/rows.js';
import { recordOf, type RecordOf, type SchemaOf } from '../store/table.js';

const machinesTable = foldedTable(
  'machines',
  {
    machine_name: 'text',
    version: 'integer',
    hash: 'text',
    definition: json<MachineDefinition>(),
  },
  ['machine_name', 'version'],
);

/** The current version of each machine. */
const currentMachinesTable = foldedTable('current_machines', { machine_name: 'text', version: 'integer' }, [
  'machine_name',
]);

type MachineTables = SchemaOf<typeof machinesTable | typeof currentMachinesTable>;

const machines = facts(machinesTable);
const currentMachines = documents(currentMachinesTable, 'machine_name');

const onMachine: Required<Folds<MachineEvent>> = {
  MachineDefined: {
    needs: machineOf,
    fold: (page, { data }) => {
      page.add(machines, data);
      page.put(currentMachines, data);
    },
  },
  MachineDefinedAgain: { needs: machineOf, fold: (page, { data }) => page.put(currentMachines, data) },
};

function machineOf({ data }: MachineEvent): readonly Ref[] {
  return [[currentMachines, data.machineName]];
}

/** Every version of every machine. */
export const machinesModel: ReadModel<'machines'> = {
  name: 'machines',
  kinds: [machines, currentMachines],
  on: { machine: onMachine },
};

/** One version of a machine. */
export type MachineRecord = RecordOf<typeof machinesTable>;

/** A version of a machine, by default the current one; `undefined` if there is no such version. */
export async function getMachine(
  db: Rows<'machines'>,
  name: string,
  version?: number,
): Promise<MachineRecord | undefined> {
  const versions = machineRows(db).where('machine.machine_name', '=', name);
  const one = version === undefined ? isCurrent(versions) : versions.where('machine.version', '=', version);
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
    rows: isCurrent(machineRows(db)),
    table: machinesTable,
    by: 'machine.machine_name',
    toItems: (rows) => rows.map((row) => recordOf(machinesTable, row)),
  });
}

function machineRows(db: Rows<'machines'>) {
  return db
    .withTables<MachineTables>()
    .selectFrom(`${machinesTable.name} as machine` as const)
    .innerJoin(
      `${currentMachinesTable.name} as current` as const,
      'current.machine_name',
      'machine.machine_name',
    )
    .selectAll('machine');
}

function isCurrent(rows: ReturnType<typeof machineRows>) {
  return rows.whereRef('machine.version', '=', 'current.version');
}

/** Whether a machine of this name was defined, or run by a session. */
export async function isKnownMachine(db: Rows<'machines' | 'sessions'>, name: string): Promise<boolean> {
  const defined = machineRows(db).where('machine.machine_name', '=', name);
  if (await defined.limit(1).executeTakeFirst()) return true;
  const run = db.selectFrom(sessionsTable.name).select('machine_name').where('machine_name', '=', name);
  return (await run.limit(1).executeTakeFirst()) !== undefined;
}
