import { jsonText, type Rejection } from '#lib/kernel';
import type { MachineEvent, MachineDefinition } from '#lib/machine';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { table, type RowOf } from '../store/table.js';
import { pageOf, type Page, type PageRequest } from '../paging/page.js';
import type { Rows } from '../store/rows.js';

export const machinesTable = table(
  'machines_v2',
  {
    machine_name: 'text',
    version: 'integer',
    hash: 'text',
    definition: 'text',
    defined_at: 'bigint',
    /** 1 for the version that was defined last. */
    is_current: 'integer',
  },
  ['machine_name', 'version'],
);

const addMachine = insertRow(machinesTable);

/** The version with this number is the current one, and no other. */
const setCurrent = statement<{ machineName: string; version: number }>((db, values) =>
  db
    .updateTable('machines_v2')
    .set((eb) => ({
      is_current: eb.case().when('version', '=', values.version).then(eb.lit(1)).else(eb.lit(0)).end(),
    }))
    .where('machine_name', '=', values.machineName),
);

const onMachine: Required<Handlers<MachineEvent>> = {
  MachineDefined: ({ data, occurredAt }) => [
    addMachine({
      machine_name: data.machineName,
      version: data.version,
      hash: data.hash,
      definition: jsonText(data.definition),
      defined_at: storedTime(occurredAt),
      is_current: 1,
    }),
    setCurrent({ machineName: data.machineName, version: data.version }),
  ],
  MachineDefinedAgain: ({ data }) => [setCurrent({ machineName: data.machineName, version: data.version })],
};

/** Every version of every machine. */
export const machinesProjection: Projection<'machines'> = {
  name: 'machines',
  version: 2,
  tables: [machinesTable],
  on: { machine: onMachine },
};

/** One version of a machine. */
export interface MachineRecord {
  readonly machineName: string;
  readonly version: number;
  readonly hash: string;
  readonly definition: MachineDefinition;
}

/** A version of a machine, the current one where none is named; `undefined` where there is no such version. */
export async function getMachine(
  db: Rows<'machines'>,
  name: string,
  version?: number,
): Promise<MachineRecord | undefined> {
  const versions = db.selectFrom('machines_v2').selectAll().where('machine_name', '=', name);
  const one =
    version === undefined ? versions.where('is_current', '=', 1) : versions.where('version', '=', version);
  const row = await one.executeTakeFirst();
  return row && machineRecord(row);
}

/** The current version of each machine, by name. */
export function listMachines(
  db: Rows<'machines'>,
  request: PageRequest = {},
): Promise<Page<MachineRecord> | Rejection> {
  return pageOf(request, {
    list: 'machines',
    read: (after, limit) => {
      const current = db.selectFrom('machines_v2').selectAll().where('is_current', '=', 1);
      const rest = after === undefined ? current : current.where('machine_name', '>', after);
      return rest.orderBy('machine_name').limit(limit).execute();
    },
    keyOf: (row) => row.machine_name,
    toItems: (rows) => rows.map(machineRecord),
  });
}

function machineRecord({
  machine_name,
  version,
  hash,
  definition,
}: RowOf<typeof machinesTable>): MachineRecord {
  return {
    machineName: machine_name,
    version,
    hash,
    definition: JSON.parse(definition) as MachineDefinition,
  };
}

/** Whether a machine was ever defined, or a session ever ran one of this name. */
export async function isKnownMachine(db: Rows<'machines' | 'sessions'>, name: string): Promise<boolean> {
  const defined = db.selectFrom('machines_v2').select('machine_name').where('machine_name', '=', name);
  if (await defined.limit(1).executeTakeFirst()) return true;
  const run = db.selectFrom('sessions_v2').select('machine_name').where('machine_name', '=', name);
  return (await run.limit(1).executeTakeFirst()) !== undefined;
}
