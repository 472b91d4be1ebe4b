import type { Rejection } from '#lib/kernel';
import {
  deleteRow,
  type Handlers,
  insertRow,
  json,
  type Page,
  pageOfRows,
  type PageRequest,
  type Projection,
  recordOf,
  type Rows,
  type SchemaOf,
  table,
} from '#lib/read-models';
import type { GateDefinition } from './definition/gate-definition.js';
import type { GateEvent } from './gate.events.js';
import type { Gate } from './gates.views.js';

const gatesTable = table(
  'gates_v2',
  {
    gate_id: 'text',
    version: 'integer',
    machine_version: 'integer',
    definition: json<GateDefinition>(),
  },
  ['gate_id'],
);

const addGate = insertRow(gatesTable);
const removeGate = deleteRow(gatesTable, ['gate_id']);

const onGate: Required<Handlers<GateEvent>> = {
  GateCreated: ({ data }, gateId) => [removeGate({ gateId }), addGate({ ...data, gateId })],
  GateDeleted: (_event, gateId) => [removeGate({ gateId })],
};

/** The latest version of every gate that is not deleted. */
export const gatesProjection: Projection<'gates'> = {
  name: 'gates',
  version: 2,
  tables: [gatesTable],
  on: { gate: onGate },
};

/** The current version of a gate; `undefined` for an unknown or deleted one. */
export async function getGate(db: Rows<'gates'>, gateId: string): Promise<Gate | undefined> {
  const row = await gates(db).where('gate_id', '=', gateId).executeTakeFirst();
  return row && recordOf(gatesTable, row);
}

/** All gates, by id. */
export function listGates(db: Rows<'gates'>, request: PageRequest = {}): Promise<Page<Gate> | Rejection> {
  return pageOfRows(request, {
    list: 'gates',
    rows: gates(db),
    table: gatesTable,
    by: 'gate_id',
    toItems: (rows) => rows.map((row) => recordOf(gatesTable, row)),
  });
}

function gates(db: Rows<'gates'>) {
  return db.withTables<SchemaOf<typeof gatesTable>>().selectFrom('gates_v2').selectAll();
}
