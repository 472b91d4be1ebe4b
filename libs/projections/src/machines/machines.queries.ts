import type { Rejection } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import { pageOf } from '../paging/page.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { machinesTable } from './machines.table.js';

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
