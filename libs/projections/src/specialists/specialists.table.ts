import { table } from '../store/table.js';

export const specialistsTable = table(
  'specialists_v2',
  {
    specialist_id: 'text',
    machine_name: 'text',
    role: 'text',
    is_human: 'integer',
    execution: 'text?',
    threshold: 'double precision?',
    enabled: 'integer',
    /** Of the last disabling; null while enabled. */
    disabled_position: 'text?',
    registered_at: 'bigint',
    /** Of the registration: the order in which the specialists of a machine are asked. */
    position: 'text',
  },
  ['specialist_id'],
  [
    ['machine_name', 'specialist_id'],
    ['machine_name', 'position'],
  ],
);
