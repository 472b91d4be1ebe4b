import { ownMember } from '#lib/kernel';
import type { TransitionInput } from '#lib/machine';

/** What is known when somebody wants a round decided. */
export interface ArbitrationQuestion {
  readonly currentRoundId: string;
  /** The round that is meant; default: the current one. */
  readonly roundId?: string;
  /** Out of the current state; none where it is at rest. */
  readonly transitions: { readonly [name: string]: TransitionInput };
  /** The transition to force; without one an arbiter is asked. */
  readonly transitionName?: string;
  /** Whether who forces it is a human specialist. */
  readonly isHuman?: boolean;
  /** How many proposals the round has. */
  readonly proposalCount: number;
}

/** What such a wish comes down to. */
export type ArbitrationClass =
  | { readonly type: 'stale' }
  | { readonly type: 'notHuman' }
  | { readonly type: 'invalidTransition'; readonly transitionName: string }
  | { readonly type: 'humanOverride'; readonly transitionName: string; readonly toState: string }
  | { readonly type: 'noProposals' }
  | { readonly type: 'evaluate' };

/** In this order: a round that is over, a force by who may not, one that leads nowhere, one that holds; else the proposals. */
export function classifyArbitration(question: ArbitrationQuestion): ArbitrationClass {
  const { currentRoundId, roundId = currentRoundId, transitionName, proposalCount } = question;
  if (roundId !== currentRoundId) return { type: 'stale' };
  if (transitionName === undefined) return { type: proposalCount === 0 ? 'noProposals' : 'evaluate' };
  if (question.isHuman !== true) return { type: 'notHuman' };
  const transition = ownMember(question.transitions, transitionName);
  if (transition === undefined) return { type: 'invalidTransition', transitionName };
  const toState = typeof transition === 'string' ? transition : transition.target;
  return { type: 'humanOverride', transitionName, toState };
}
