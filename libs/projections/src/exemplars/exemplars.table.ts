import { table } from '../store/table.js';

/** Decisions of people. */
export const exemplarsTable = table(
  'exemplars_v3',
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
    /** 1 where it was imported: its session is not in the log. */
    imported: 'integer',
    decided_at: 'bigint',
    position: 'text',
  },
  ['session_id', 'round_id'],
  [
    ['machine_name', 'position'],
    ['machine_name', 'state', 'position'],
  ],
);

/** The `metaJson` of sessions, and of imported decisions, that have one. */
export const exemplarSessionsTable = table(
  'exemplar_sessions_v3',
  { session_id: 'text', session_meta_json: 'text' },
  ['session_id'],
);
