import { table } from '../store/table.js';

export const machinesTable = table(
  'machines_v1',
  {
    machine_name: 'text',
    version: 'integer',
    hash: 'text',
    definition: 'text',
    defined_at: 'bigint',
  },
  ['machine_name', 'version'],
);
