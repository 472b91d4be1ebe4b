import { jsonText, type Rejection } from '#lib/kernel';
import {
  deleteRow,
  type Handlers,
  insertRow,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type RowOf,
  type Rows,
  storedTime,
  table,
} from '#lib/projections';
import type { GateDefinition } from './definition/gate-definition.js';
import type { Gate } from './gate.decider.js';
import type { GateEvent } from './gate.events.js';

const gatesTable = table(
  'gates_v1',
  {
    gate_id: 'text',
    version: 'integer',
    machine_version: 'integer',
    definition: 'text',
    created_at: 'bigint',
  },
  ['gate_id'],
);
type Tables = { gates_v1: RowOf<typeof gatesTable> };

const addGate = insertRow(gatesTable);
const removeGate = deleteRow(gatesTable, ['gate_id']);

const onGate: Required<Handlers<GateEvent>> = {
  GateCreated: ({ data, occurredAt }, gateId) => [
    removeGate({ gate_id: gateId }),
    addGate({
      gate_id: gateId,
      version: data.version,
      machine_version: data.machineVersion,
      definition: jsonText(data.definition),
      created_at: storedTime(occurredAt),
    }),
  ],
  GateDeleted: (_event, gateId) => [removeGate({ gate_id: gateId })],
};

/** The latest version of every gate that is not deleted. */
export const gatesProjection: Projection<'gates'> = {
  name: 'gates',
  version: 1,
  tables: [gatesTable],
  on: { gate: onGate },
};

/** The current version of a gate; `undefined` for an unknown or deleted one. */
export async function getGate(db: Rows<'gates'>, gateId: string): Promise<Gate | undefined> {
  const row = await gates(db).where('gate_id', '=', gateId).executeTakeFirst();
  return row && gateOf(row);
}

/** The gates there are, by id. */
export function listGates(db: Rows<'gates'>, request: PageRequest = {}): Promise<Page<Gate> | Rejection> {
  return pageOf(request, {
    list: 'gates',
    read: (after = '', limit) =>
      gates(db).where('gate_id', '>', after).orderBy('gate_id').limit(limit).execute(),
    keyOf: (row) => row.gate_id,
    toItems: (rows) => rows.map(gateOf),
  });
}

function gates(db: Rows<'gates'>) {
  return db.withTables<Tables>().selectFrom('gates_v1').selectAll();
}

function gateOf({ gate_id, version, machine_version, definition }: RowOf<typeof gatesTable>): Gate {
  return {
    gateId: gate_id,
    version,
    machineVersion: machine_version,
    definition: JSON.parse(definition) as GateDefinition,
  };
}
