import { table } from '../store/table.js';

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
