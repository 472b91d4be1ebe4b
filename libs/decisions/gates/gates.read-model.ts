import type { Rejection } from '#lib/kernel';
import {
  documents,
  foldedTable,
  type Folds,
  json,
  type Page,
  pageOfRows,
  type PageRequest,
  type ReadModel,
  recordOf,
  type Rows,
  type SchemaOf,
} from '#lib/read-models';
import type { GateDefinition } from './definition/gate-definition.js';
import type { GateEvent } from './gate.events.js';
import type { Gate } from './gates.views.js';

const gatesTable = foldedTable(
  'gates',
  {
    gate_id: 'text',
    version: 'integer',
    machine_version: 'integer',
    definition: json<GateDefinition>(),
  },
  ['gate_id'],
);

const gates = documents(gatesTable, 'gate_id');

const onGate: Required<Folds<GateEvent>> = {
  GateCreated: (page, { data }, gateId) => page.put(gates, { ...data, gateId }),
  GateDeleted: (page, _event, gateId) => page.drop(gates, gateId),
};

/** The current version of every gate that is not deleted. */
export const gatesModel: ReadModel<'gates'> = {
  name: 'gates',
  kinds: [gates],
  of: { gate: [gates] },
  on: { gate: onGate },
};

/** The current version of a gate; `undefined` for an unknown or deleted one. */
export async function getGate(db: Rows<'gates'>, gateId: string): Promise<Gate | undefined> {
  const row = await gateRows(db).where('gate_id', '=', gateId).executeTakeFirst();
  return row && recordOf(gatesTable, row);
}

/** All gates, by id. */
export function listGates(db: Rows<'gates'>, request: PageRequest = {}): Promise<Page<Gate> | Rejection> {
  return pageOfRows(request, {
    list: 'gates',
    rows: gateRows(db),
    table: gatesTable,
    by: 'gate_id',
    toItems: (rows) => rows.map((row) => recordOf(gatesTable, row)),
  });
}

function gateRows(db: Rows<'gates'>) {
  return db.withTables<SchemaOf<typeof gatesTable>>().selectFrom(gatesTable.name).selectAll();
}
