import { table } from '../store/table.js';

/** The machine of each session. */
export const decisionSessionsTable = table(
  'decision_sessions_v5',
  { session_id: 'text', machine_name: 'text', machine_hash: 'text' },
  ['session_id'],
);

/** The thresholds that machines declare: for each state that has one, of its own or of its machine. */
export const decisionThresholdsTable = table(
  'decision_thresholds_v5',
  { machine_hash: 'text', state: 'text', threshold: 'double precision' },
  ['machine_hash', 'state'],
);

/** The basis of a round's decision, where an arbiter or a person took it. */
export const decisionBasesTable = table(
  'decision_bases_v5',
  {
    session_id: 'text',
    round_id: 'text',
    how: 'text',
    arbiter_id: 'text?',
    specialist_id: 'text?',
    alignment: 'text',
    margin: 'double precision?',
    threshold: 'double precision?',
  },
  ['session_id', 'round_id'],
);

/** Every transition that was executed. */
export const decisionsTable = table(
  'decisions_v5',
  {
    session_id: 'text',
    revision: 'integer',
    machine_name: 'text',
    round_id: 'text',
    from_state: 'text',
    to_state: 'text',
    transition_name: 'text',
    how: 'text',
    /** The kind of its maker: `person`, `agreement`, `models` or `operator`. */
    kind: 'text',
    /** 1 where an operator executed it: it counts as no decision. */
    by_operator: 'integer',
    is_human: 'integer',
    winning_proposal_id: 'text?',
    reasoning: 'text',
    margin: 'double precision?',
    /** The effective one, where any is known. */
    threshold: 'double precision?',
    decided_at: 'bigint',
    position: 'bigint',
    /** The name of the log: with the position what a decision shows as its own. */
    log_id: 'text',
  },
  ['session_id', 'revision'],
  [
    ['position'],
    ['machine_name', 'position'],
    ['machine_name', 'by_operator', 'position'],
    ['session_id', 'round_id'],
  ],
);

/** The decisions of each state by who made them, and the sum of their margins. */
export const decisionTotalsTable = table(
  'decision_totals_v5',
  {
    machine_name: 'text',
    from_state: 'text',
    kind: 'text',
    decisions: 'bigint',
    /** How many of them have a margin. */
    margins: 'bigint',
    margin: 'double precision',
  },
  ['machine_name', 'from_state', 'kind'],
);

/** How often each proposer proposed in a decided round, and how often what was decided. */
export const decisionWinsTable = table(
  'decision_wins_v5',
  {
    machine_name: 'text',
    specialist_id: 'text',
    is_human: 'integer',
    proposals: 'bigint',
    winning: 'bigint',
  },
  ['machine_name', 'specialist_id'],
);
