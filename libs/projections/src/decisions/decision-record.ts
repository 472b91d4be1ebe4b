import { formatPosition } from '#lib/event-store';
import type { AlignmentSnapshot, ProposalRef } from '#lib/session';
import { textFromStored } from '../row/stored-text.js';
import { timeFromStored } from '../row/stored-time.js';
import type { RowOf } from '../store/table.js';
import type { proposalsTable } from '../proposals/proposals.table.js';
import type { decisionBasesTable, decisionsTable } from './decisions.tables.js';

/** The author of a decision: an arbiter that saw consensus, a person who overrode the proposals, or an operator. */
export type DecidedHow = 'consensus' | 'override' | 'operator';

/** A transition that was executed, and what the decision rested on. */
export interface DecisionRecord {
  readonly sessionId: string;
  readonly machineName: string;
  /** Of the transition in the session's stream. */
  readonly revision: number;
  /** Of the transition in the log. */
  readonly position: string;
  readonly roundId: string;
  readonly fromState: string;
  readonly toState: string;
  readonly transitionName: string;
  readonly how: DecidedHow;
  readonly isHuman: boolean;
  /** The arbiter, where there was consensus. */
  readonly arbiterId?: string;
  /** The person, where one overrode. */
  readonly specialistId?: string;
  readonly winningProposalId?: string;
  /** The reasoning of the transition; "" without one. */
  readonly reasoning: string;
  /** Of the round, in the order they arrived. */
  readonly proposals: readonly ProposalRef[];
  /** The value at the time of the decision; absent where an operator took it. */
  readonly alignment?: AlignmentSnapshot;
  /** From 0 to 1; null where a person or an operator decided, or the arbiter measures none. */
  readonly margin: number | null;
  /** The one that the arbiter went by; else what the machine declares for the state, where it does. */
  readonly threshold?: number;
  /** ISO 8601, UTC. */
  readonly decidedAt: string;
}

type BasisColumn = 'arbiter_id' | 'alignment' | 'specialist_id';

/** A decision with what its round's basis says; nulls where it has none. */
export type DecisionRow = RowOf<typeof decisionsTable> & {
  readonly [Column in BasisColumn]: RowOf<typeof decisionBasesTable>[Column] | null;
};

export function decisionRecord(row: DecisionRow, proposals: readonly ProposalRef[]): DecisionRecord {
  return {
    sessionId: row.session_id,
    machineName: row.machine_name,
    revision: row.revision,
    position: formatPosition(row.log_id, row.position),
    roundId: row.round_id,
    fromState: textFromStored(row.from_state),
    toState: textFromStored(row.to_state),
    transitionName: textFromStored(row.transition_name),
    how: row.how as DecidedHow,
    isHuman: row.is_human === 1,
    ...(row.arbiter_id !== null && { arbiterId: row.arbiter_id }),
    ...(row.specialist_id !== null && { specialistId: row.specialist_id }),
    ...(row.winning_proposal_id !== null && { winningProposalId: row.winning_proposal_id }),
    reasoning: textFromStored(row.reasoning),
    proposals,
    ...(row.alignment !== null && { alignment: JSON.parse(row.alignment) as AlignmentSnapshot }),
    margin: row.margin,
    ...(row.threshold !== null && { threshold: row.threshold }),
    decidedAt: timeFromStored(row.decided_at),
  };
}

export function proposalRef(row: RowOf<typeof proposalsTable>): ProposalRef {
  return {
    proposalId: row.proposal_id,
    specialistId: row.specialist_id,
    specialistVersion: row.specialist_version,
    isHuman: row.is_human === 1,
    transitionName: textFromStored(row.transition_name),
  };
}
