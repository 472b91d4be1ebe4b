import type { ConsensusQuestion, Verdict } from './consensus-question.js';
import { isTrusted } from './trust.js';

/** The first proposal of a trusted proposer wins. */
export function firstProposal(question: ConsensusQuestion): Verdict {
  const { proposals } = question;
  if (proposals.length === 0) return { consensusReached: false, reasoning: 'no proposals' };
  const first = proposals.find((proposal) => isTrusted(proposal, question));
  if (!first) return { consensusReached: false, reasoning: 'no proposer is trusted yet' };
  return {
    consensusReached: true,
    winningProposalId: first.proposalId,
    reasoning: `${first.specialistId} proposed first`,
  };
}
