import { table } from '../store/table.js';

export const gatesTable = table(
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
