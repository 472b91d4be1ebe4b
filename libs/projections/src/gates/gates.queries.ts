import type { Gate, GateDefinition } from '#lib/gate';
import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import type { Rows } from '../store/rows.js';
import type { RowOf } from '../store/table.js';
import type { gatesTable } from './gates.table.js';

/** A gate as it is now; `undefined` where there is none, or where it was deleted. */
export async function getGate(db: Rows<'gates'>, gateId: string): Promise<Gate | undefined> {
  const row = await db.selectFrom('gates_v1').selectAll().where('gate_id', '=', gateId).executeTakeFirst();
  return row && gateOf(row);
}

/** The gates there are, by id. */
export function listGates(db: Rows<'gates'>, request: PageRequest = {}): Promise<Page<Gate> | Rejection> {
  return pageOf(request, {
    list: 'gates',
    read: (after, limit) => {
      const all = db.selectFrom('gates_v1').selectAll();
      const rest = after === undefined ? all : all.where('gate_id', '>', after);
      return rest.orderBy('gate_id').limit(limit).execute();
    },
    keyOf: (row) => row.gate_id,
    toItems: (rows) => rows.map(gateOf),
  });
}

function gateOf({ gate_id, version, machine_version, definition }: RowOf<typeof gatesTable>): Gate {
  return {
    gateId: gate_id,
    version,
    machineVersion: machine_version,
    definition: JSON.parse(definition) as GateDefinition,
  };
}
