import { table } from '../store/table.js';

/** Without samples: those stand in the log. */
export const evaluationsTable = table(
  'evaluations_v1',
  {
    evaluation_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    specialist_machine: 'text',
    machine_name: 'text',
    against: 'text',
    rounds: 'integer',
    status: 'text',
    result: 'text?',
    started_at: 'bigint',
    completed_at: 'bigint?',
    position: 'text',
  },
  ['evaluation_id'],
  [
    ['specialist_id', 'position'],
    ['status', 'position'],
  ],
);
