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

/** The author of a decision: an arbiter with consensus, a person who overrode the proposals, an operator, or a timer. */
export type DecidedHow = 'consensus' | 'override' | 'operator' | 'timer';

/**
 * The author: a person; an arbiter for a transition that a person had also proposed (`agreement`), or that only models had; an
 * operator; or a timer.
 */
export type DecisionKind = 'person' | 'agreement' | 'models' | 'operator' | 'timer';

/** The part of a counting proposal that its decision needs. */
interface CountedProposal {
  readonly specialistId: string;
  readonly isHuman: boolean;
  readonly transitionName: string;
}

/** The author of a decision by an arbiter or a person, and the alignment used. */
interface DecisionBasis {
  /** Present with consensus. */
  readonly arbiterId?: string;
  /** The person, for an override. */
  readonly specialistId?: string;
  readonly alignment: AlignmentSnapshot;
}

/** The decision of an arbiter or a person in a round whose transition is not yet executed. */
export interface RoundBasis extends DecisionBasis {
  readonly how: Exclude<DecidedHow, 'operator' | 'timer'>;
  readonly margin?: number;
  readonly threshold?: number;
  /** A person changed the arguments of the winning proposal. */
  readonly edited?: true;
}

/** Rounds from their first proposal to their decision. */
const openRoundsTable = foldedTable(
  'open_rounds',
  {
    session_id: uuid,
    round_id: uuid,
    /** The number of the first counting proposal. */
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
    /** `open` if it counts in its round: the decision of the round makes it win or lose. */
    status: word<ProposalStatus>(),
    created_at: time,
    /** The order of lists. On SQLite a row is stored once, under it. */
    number: hidden('integer'),
  },
  ['number'],
  [['session_id', 'number']],
);

/** Every executed transition. */
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
    /** An arbiter or a person decided; else an operator or a timer executed the transition, which counts as no decision. */
    has_basis: hidden(flag),
    is_human: flag,
    winning_proposal_id: optional(uuid),
    /** The reasoning of the transition; "" without one. */
    reasoning: freeText,
    meta_json: optional(json<JsonObject>()),
    /** A specialist, "default", "operator" or "timer". */
    decided_by: 'text',
    /** From 0 to 1; null unless the deciding arbiter measures one. */
    margin: nullable(plain('double precision')),
    /** The threshold that the arbiter used; else that of the machine for the state, if it declares one. */
    threshold: 'double precision?',
    /** Absent without `has_basis`. */
    basis: optional(json<DecisionBasis>()),
    decided_at: time,
    position: 'text',
    /** The number of the first counting proposal; null if none counted. */
    first: hidden('bigint?'),
    /** Of a fork: it counts in no statistics. */
    is_fork: hidden(flag),
    /** A person changed the arguments of the winning proposal. */
    is_edited: hidden(flag),
    /** The session is about a subject: specialists are not asked about the round again. */
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

/** The decisions of each state by author, and the sum of their margins. */
export const decisionTotalsTable = foldedTable(
  'decision_totals',
  {
    machine_name: 'text',
    from_state: freeText,
    kind: word<DecisionKind>(),
    decisions: 'bigint',
    /** The number of decisions with a margin. */
    margins: 'bigint',
    margin: 'double precision',
  },
  ['machine_name', 'from_state', 'kind'],
);

/** The decisions of each state on each UTC day by author. */
export const decisionDaysTable = foldedTable(
  'decision_days',
  {
    /** The start of the day. */
    day: 'bigint',
    machine_name: 'text',
    from_state: freeText,
    kind: word<DecisionKind>(),
    decisions: 'bigint',
  },
  ['machine_name', 'day', 'from_state', 'kind'],
  [['day']],
);

/** The proposals of each proposer in decided rounds, and those equal to the decision. */
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
