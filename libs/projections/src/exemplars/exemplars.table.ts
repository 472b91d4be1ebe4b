import { table } from '../store/table.js';

/** Decisions of people. */
export const exemplarsTable = table(
  'exemplars_v2',
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

/** The `metaJson` of sessions that have one. */
export const exemplarSessionsTable = table(
  'exemplar_sessions_v2',
  { session_id: 'text', session_meta_json: 'text' },
  ['session_id'],
);
