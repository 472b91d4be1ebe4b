import { table } from '../store/table.js';

export const sessionsTable = table(
  'sessions_v2',
  {
    session_id: 'text',
    machine_name: 'text',
    machine_version: 'integer?',
    machine_hash: 'text',
    current_state: 'text',
    current_round_id: 'text',
    status: 'text',
    meta_json: 'text?',
    created_at: 'bigint',
    updated_at: 'bigint',
    revision: 'integer',
    /** Of its first event: the order of lists. */
    position: 'bigint',
  },
  ['session_id'],
  [['position'], ['status', 'position'], ['status', 'updated_at'], ['machine_name', 'position']],
);

/** Each machine that a session runs, once for each hash. */
export const sessionMachinesTable = table(
  'session_machines_v2',
  { machine_hash: 'text', definition: 'text' },
  ['machine_hash'],
);

/** The status that a session has in each state of its machine. */
export const sessionMachineStatesTable = table(
  'session_machine_states_v2',
  { machine_hash: 'text', state: 'text', status: 'text' },
  ['machine_hash', 'state'],
);

export const sessionTransitionsTable = table(
  'session_transitions_v2',
  {
    session_id: 'text',
    revision: 'integer',
    transition_name: 'text',
    from_state: 'text',
    to_state: 'text',
    reasoning: 'text',
    meta_json: 'text?',
    is_human: 'integer',
    decided_by: 'text',
    proposal_id: 'text?',
    executed_at: 'bigint',
  },
  ['session_id', 'revision'],
);

/** Sessions that wait for a person. */
export const sessionWaitsTable = table(
  'session_waits_v2',
  {
    session_id: 'text',
    machine_name: 'text',
    round_id: 'text',
    reason: 'text',
    detail: 'text',
    since: 'bigint',
    /** Of the event that asks for a person: the order of the inbox. */
    position: 'text',
  },
  ['session_id'],
  [['position'], ['machine_name', 'position']],
);
