import type { AlignmentSnapshot } from '#lib/decisions/session';
import {
  flag,
  freeText,
  hidden,
  json,
  logNumber,
  nullable,
  plain,
  time,
  word,
  uuid,
  optional,
} from '../store/columns.js';
import { table } from '../store/table.js';

/** The author of a decision: an arbiter that saw consensus, a person who overrode the proposals, or an operator. */
export type DecidedHow = 'consensus' | 'override' | 'operator';

/** The author: a person, an arbiter for what a person had proposed too, an arbiter for what only models proposed, or an operator. */
export type DecisionKind = 'person' | 'agreement' | 'models' | 'operator';

/** The machine of each session. */
export const decisionSessionsTable = table(
  'decision_sessions_v5',
  { session_id: uuid, machine_name: 'text', machine_hash: 'text' },
  ['session_id'],
);

/** The thresholds that machines declare: for each state that has one, of its own or of its machine. */
export const decisionThresholdsTable = table(
  'decision_thresholds_v5',
  { machine_hash: 'text', state: freeText, threshold: 'double precision' },
  ['machine_hash', 'state'],
);

/** The basis of a round's decision, if an arbiter or a person took it. */
export const decisionBasesTable = table(
  'decision_bases_v5',
  {
    session_id: uuid,
    round_id: uuid,
    how: word<DecidedHow>(),
    /** If there was consensus. */
    arbiter_id: 'text?',
    /** The person, if one overrode. */
    specialist_id: 'text?',
    /** At the time of the decision. */
    alignment: json<AlignmentSnapshot>(),
    margin: 'double precision?',
    threshold: 'double precision?',
  },
  ['session_id', 'round_id'],
);

/** Every transition that was executed. */
export const decisionsTable = table(
  'decisions_v5',
  {
    session_id: uuid,
    /** The revision of the transition in the session's stream. */
    revision: 'integer',
    machine_name: 'text',
    round_id: uuid,
    from_state: freeText,
    to_state: freeText,
    transition_name: freeText,
    how: word<DecidedHow>(),
    kind: hidden(word<DecisionKind>()),
    /** An operator executed it: it counts as no decision. */
    by_operator: hidden(flag),
    is_human: flag,
    winning_proposal_id: optional(uuid),
    /** The reasoning of the transition; "" without one. */
    reasoning: freeText,
    /** From 0 to 1; null if a person or an operator decided, or the arbiter measures none. */
    margin: nullable(plain('double precision')),
    /** The one that the arbiter went by; else what the machine declares for the state, if it does. */
    threshold: 'double precision?',
    decided_at: time,
    position: hidden(logNumber),
    /** The name of the log: with the position what a decision shows as its own. */
    log_id: hidden('text'),
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
    from_state: freeText,
    kind: word<DecisionKind>(),
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
    is_human: flag,
    proposals: 'bigint',
    winning: 'bigint',
  },
  ['machine_name', 'specialist_id'],
);
