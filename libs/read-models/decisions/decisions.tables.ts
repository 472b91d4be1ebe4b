import type { JsonObject } from '#lib/kernel';
import type { AlignmentSnapshot, ProposalStatus } from '#lib/decisions/session';
import { documents, facts, totals } from '../loop/declare.js';
import { foldedTable } from '../loop/folded-table.js';
import {
  flag,
  freeText,
  hidden,
  json,
  nullable,
  optional,
  plain,
  time,
  uuid,
  word,
} from '../store/columns.js';

/** The author of a decision: an arbiter that saw consensus, a person who overrode the proposals, an operator, or a timer. */
export type DecidedHow = 'consensus' | 'override' | 'operator' | 'timer';

/** The author: a person, an arbiter for what a person had proposed too, an arbiter for what only models proposed, an operator, or a timer. */
export type DecisionKind = 'person' | 'agreement' | 'models' | 'operator' | 'timer';

/** A proposal that counts in its round, as far as its decision needs it. */
interface CountedProposal {
  readonly specialistId: string;
  readonly isHuman: boolean;
  readonly transitionName: string;
}

/** The author of a decision that an arbiter or a person took, and the alignment that it went by. */
interface DecisionBasis {
  /** If there was consensus. */
  readonly arbiterId?: string;
  /** The person, if one overrode. */
  readonly specialistId?: string;
  readonly alignment: AlignmentSnapshot;
}

/** The decision of an arbiter or a person in a round whose transition is not executed yet. */
export interface RoundBasis extends DecisionBasis {
  readonly how: Exclude<DecidedHow, 'operator' | 'timer'>;
  readonly margin?: number;
  readonly threshold?: number;
  /** A person changed the arguments of the proposal that won. */
  readonly edited?: true;
}

/** Rounds from their first proposal to their decision. */
const openRoundsTable = foldedTable(
  'open_rounds',
  {
    session_id: uuid,
    round_id: uuid,
    /** The number of the first proposal that counts. */
    first: 'bigint?',
    proposals: json<readonly CountedProposal[]>(),
    basis: optional(json<RoundBasis>()),
  },
  ['session_id'],
);

export const proposalsTable = foldedTable(
  'proposals',
  {
    proposal_id: uuid,
    session_id: uuid,
    round_id: uuid,
    specialist_id: 'text',
    specialist_version: 'integer',
    is_human: flag,
    transition_name: freeText,
    to_state: freeText,
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    cost_usd: 'double precision?',
    latency_msec: 'double precision?',
    num_input_tokens: 'double precision?',
    num_output_tokens: 'double precision?',
    solicitation_id: optional(uuid),
    /** `open` if it counts in its round: it has won or lost once that is decided. */
    status: word<ProposalStatus>(),
    created_at: time,
    /** The order of lists. On SQLite a row is stored once, under it. */
    number: hidden('integer'),
  },
  ['number'],
  [['session_id', 'number']],
);

/** Every transition that was executed. */
export const decisionsTable = foldedTable(
  'decisions',
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
    /** An arbiter or a person decided it; else an operator or a timer executed it, and it counts as no decision. */
    has_basis: hidden(flag),
    is_human: flag,
    winning_proposal_id: optional(uuid),
    /** The reasoning of the transition; "" without one. */
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    /** A specialist, "default", "operator" or "timer". */
    decided_by: 'text',
    /** From 0 to 1; null unless an arbiter that measures one decided. */
    margin: nullable(plain('double precision')),
    /** The one that the arbiter went by; else what the machine declares for the state, if it does. */
    threshold: 'double precision?',
    /** Absent without `has_basis`. */
    basis: optional(json<DecisionBasis>()),
    decided_at: time,
    position: 'text',
    /** The number of the first proposal that counted; null if none did. */
    first: hidden('bigint?'),
    /** Of a session that was forked: it counts in no statistics. */
    is_fork: hidden(flag),
    /** A person changed the arguments of the proposal that won. */
    is_edited: hidden(flag),
    /** It is not asked about again: what is asked is about nobody. */
    has_subject: hidden(flag),
    /** The order of lists. On SQLite a row is stored once, under it. */
    number: hidden('integer'),
  },
  ['number'],
  [
    ['session_id', 'number'],
    ['machine_name', 'number'],
    ['machine_name', 'has_basis', 'number'],
  ],
);

/** The decisions of each state by who made them, and the sum of their margins. */
export const decisionTotalsTable = foldedTable(
  'decision_totals',
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

/** The decisions of each state on each UTC day by who made them. */
export const decisionDaysTable = foldedTable(
  'decision_days',
  {
    /** Its start. */
    day: 'bigint',
    machine_name: 'text',
    from_state: freeText,
    kind: word<DecisionKind>(),
    decisions: 'bigint',
  },
  ['machine_name', 'day', 'from_state', 'kind'],
  [['day']],
);

/** How often each proposer proposed in a decided round, and how often what was decided. */
export const decisionWinsTable = foldedTable(
  'decision_wins',
  {
    machine_name: 'text',
    specialist_id: 'text',
    is_human: flag,
    proposals: 'bigint',
    winning: 'bigint',
  },
  ['machine_name', 'specialist_id'],
);

export const openRounds = documents(openRoundsTable, 'session_id');
export const proposals = facts(proposalsTable);
export const decisions = facts(decisionsTable);
export const decisionTotals = totals(decisionTotalsTable, { add: ['decisions', 'margins', 'margin'] });
export const decisionDays = totals(decisionDaysTable, { add: ['decisions'] });
export const decisionWins = totals(decisionWinsTable, {
  add: ['proposals', 'winning'],
  highest: ['is_human'],
});
