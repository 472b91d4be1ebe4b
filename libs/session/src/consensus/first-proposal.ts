import type { ConsensusQuestion } from './consensus-question.js';
import type { Verdict } from './verdict.js';

/** The proposal that arrived first wins. */
export function firstProposal({ proposals: [first] }: ConsensusQuestion): Verdict {
  if (!first) return { consensusReached: false, reasoning: 'no proposals' };
  return {
    consensusReached: true,
    winningProposalId: first.proposalId,
    reasoning: `the first proposal is of ${first.specialistId}`,
  };
}
