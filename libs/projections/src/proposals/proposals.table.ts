import { table } from '../store/table.js';

export const proposalsTable = table(
  'proposals_v5',
  {
    proposal_id: 'text',
    session_id: 'text',
    round_id: 'text',
    specialist_id: 'text',
    specialist_version: 'integer',
    is_human: 'integer',
    transition_name: 'text',
    to_state: 'text',
    reasoning: 'text',
    meta_json: 'text?',
    cost_usd: 'double precision?',
    latency_msec: 'double precision?',
    num_input_tokens: 'double precision?',
    num_output_tokens: 'double precision?',
    solicitation_id: 'text?',
    status: 'text',
    /** 1 where it counts in its round: it was not set aside. */
    is_counted: 'integer',
    created_at: 'bigint',
    position: 'bigint',
  },
  ['proposal_id'],
  [
    ['session_id', 'position'],
    ['round_id', 'session_id'],
  ],
);
