import { ownMember } from '#lib/kernel';
import { ALIGNMENT_MARGIN_THRESHOLD, alignmentMargin } from './alignment-margin.js';
import type { ArbiterRef, ConsensusQuestion, Verdict } from './consensus-question.js';
import { isTrusted } from './trust.js';

/** A pure arbiter: the session itself judges by it, and replay judges again. */
type BuiltInArbiter = (question: ConsensusQuestion) => Verdict;

/** By `strategyFnName` of arbiters. `aheadByK` is the older name of `alignmentMargin`. */
export const builtInArbiters: { readonly [strategyFnName: string]: BuiltInArbiter } = {
  firstProposal,
  alignmentMargin,
  aheadByK: alignmentMargin,
};

const thresholds: { readonly [strategyFnName: string]: number } = {
  alignmentMargin: ALIGNMENT_MARGIN_THRESHOLD,
  aheadByK: ALIGNMENT_MARGIN_THRESHOLD,
};

/** `undefined` for functions of the application and webhooks: a workflow asks those. */
export function builtInArbiter({
  strategyFnName = '',
}: Pick<ArbiterRef, 'strategyFnName'>): BuiltInArbiter | undefined {
  return ownMember(builtInArbiters, strategyFnName);
}

/** The default threshold of a built-in arbiter; `undefined` if it needs none. */
export function builtInThreshold({
  strategyFnName = '',
}: Pick<ArbiterRef, 'strategyFnName'>): number | undefined {
  return ownMember(thresholds, strategyFnName);
}

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
