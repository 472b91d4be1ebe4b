import { ownMember } from '#lib/kernel';
import type { TransitionInput } from '#lib/decisions/machines';

/** The facts by which a submitted arbitration is classified. */
export interface ArbitrationQuestion {
  readonly currentRoundId: string;
  /** The round of the submission; default: the current one. */
  readonly roundId?: string;
  /** Those of the current state; empty if it is at rest. */
  readonly transitions: { readonly [name: string]: TransitionInput };
  /** The transition to force; without one an arbiter is asked. */
  readonly transitionName?: string;
  /** The specialist that forces it is human. */
  readonly isHuman?: boolean;
  /** The number of proposals of the round. */
  readonly proposalCount: number;
  /** The number of proposals that an arbiter's decision needs; default: one. */
  readonly quorum?: number;
}

/** The class of a submitted arbitration. */
export type ArbitrationClass =
  | { readonly type: 'stale' }
  | { readonly type: 'notHuman' }
  | { readonly type: 'invalidTransition'; readonly transitionName: string }
  | { readonly type: 'humanOverride'; readonly transitionName: string; readonly toState: string }
  | { readonly type: 'noProposals' }
  | { readonly type: 'noQuorum'; readonly needed: number; readonly present: number }
  | { readonly type: 'evaluate' };

/** Checks in this order: stale round, override by a non-human, override with an unknown transition, valid override; then the proposals. */
export function classifyArbitration(question: ArbitrationQuestion): ArbitrationClass {
  const { currentRoundId, roundId = currentRoundId, transitionName, proposalCount } = question;
  if (roundId !== currentRoundId) return { type: 'stale' };
  if (transitionName === undefined) return classifyProposals(proposalCount, question.quorum);
  if (question.isHuman !== true) return { type: 'notHuman' };
  const transition = ownMember(question.transitions, transitionName);
  if (transition === undefined) return { type: 'invalidTransition', transitionName };
  const toState = typeof transition === 'string' ? transition : transition.target;
  return { type: 'humanOverride', transitionName, toState };
}

function classifyProposals(present: number, needed = 1): ArbitrationClass {
  if (present === 0) return { type: 'noProposals' };
  return present < needed ? { type: 'noQuorum', needed, present } : { type: 'evaluate' };
}
