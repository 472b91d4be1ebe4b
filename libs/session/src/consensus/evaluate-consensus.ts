import type { Session } from '../session.state.js';
import type { AlignmentSnapshot } from './alignment-snapshot.js';
import type { ArbiterRef } from './arbiter-ref.js';
import { builtInArbiter } from './built-in-arbiters.js';
import { effectiveThreshold } from './effective-threshold.js';
import type { Verdict } from './verdict.js';

/** A look at the current round that changes nothing. */
export interface ConsensusView extends Verdict {
  /** The effective one, where somebody set any. */
  readonly threshold?: number;
}

/** What the arbiter says of the round as it is. One that is no built-in is not asked: its last verdict is shown. */
export function evaluateConsensus(
  session: Session,
  arbiter: ArbiterRef,
  alignment: AlignmentSnapshot,
): ConsensusView {
  const { machine, currentState, proposals, judgement } = session;
  const threshold = effectiveThreshold(machine, currentState, arbiter);
  const limit = threshold !== undefined && { threshold };
  const builtIn = builtInArbiter(arbiter);
  if (builtIn) return { ...builtIn({ proposals, alignment, ...limit }), ...limit };
  if (!judgement || judgement.basis.arbiter.specialistId !== arbiter.specialistId)
    return { consensusReached: false, reasoning: 'the arbiter has not judged this round', ...limit };
  const { reasoning, margin } = judgement;
  return { consensusReached: false, reasoning, ...(margin !== undefined && { margin }), ...limit };
}
