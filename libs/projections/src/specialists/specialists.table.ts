import { table } from '../store/table.js';

export const specialistsTable = table(
  'specialists_v1',
  {
    specialist_id: 'text',
    machine_name: 'text',
    role: 'text',
    is_human: 'integer',
    execution: 'text?',
    threshold: 'double precision?',
    enabled: 'integer',
    registered_at: 'bigint',
  },
  ['specialist_id'],
  [['machine_name', 'specialist_id']],
);
