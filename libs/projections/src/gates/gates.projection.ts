import { jsonText } from '#lib/kernel';
import type { GateEvent } from '#lib/gate';
import { storedTime } from '../row/stored-time.js';
import type { Handlers, Projection } from '../runner/projection.js';
import { insertRow } from '../store/insert-row.js';
import { statement } from '../store/statement.js';
import { gatesTable } from './gates.table.js';

const addGate = insertRow(gatesTable);

const removeGate = statement<{ gateId: string }>((db, given) =>
  db.deleteFrom('gates_v1').where('gate_id', '=', given.gateId),
);

const onGate: Required<Handlers<GateEvent>> = {
  GateCreated: ({ data, occurredAt }, gateId) => [
    removeGate({ gateId }),
    addGate({
      gate_id: gateId,
      version: data.version,
      machine_version: data.machineVersion,
      definition: jsonText(data.definition),
      created_at: storedTime(occurredAt),
    }),
  ],
  GateDeleted: (_event, gateId) => [removeGate({ gateId })],
};

/** The latest version of every gate that is not deleted. */
export const gatesProjection: Projection<'gates'> = {
  name: 'gates',
  version: 1,
  tables: [gatesTable],
  on: { gate: onGate },
};
