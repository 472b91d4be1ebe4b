import { table } from '../store/table.js';

/** Decisions of people, with the context they had. */
export const exemplarsTable = table(
  'exemplars_v1',
  {
    session_id: 'text',
    round_id: 'text',
    machine_name: 'text',
    state: 'text',
    specialist_id: 'text',
    transition_name: 'text',
    to_state: 'text',
    reasoning: 'text',
    meta_json: 'text?',
    context: 'text',
    proposals: 'text',
    decided_at: 'bigint',
    position: 'text',
  },
  ['session_id', 'round_id'],
  [
    ['machine_name', 'position'],
    ['machine_name', 'state', 'position'],
  ],
);
