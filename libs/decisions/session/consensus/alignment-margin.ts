import type { ConsensusQuestion, ProposalRef, Verdict } from './consensus-question.js';
import { isTrusted, weightOf } from './trust.js';

/** The default margin: all weight must be on the leading transition. */
export const ALIGNMENT_MARGIN_THRESHOLD = 1;

/** The proposals for one transition, and the sum of their authors' alignment. */
interface Camp {
  readonly transitionName: string;
  readonly score: number;
  readonly best: ProposalRef;
}

/**
 * The transition with the most alignment wins, if its lead suffices: (leader - runner-up) / total must reach the threshold
 * (default 1). A lone proposal of a trusted proposer wins at any threshold up to 1. Without any weight no proposal can lead: a
 * human is needed. Of two equal transitions, the one proposed first leads. Sums and margin are rounded to 12 decimals: 0.6
 * against 0.4 is a margin of 0.2, which floating point alone would miss.
 */
export function alignmentMargin(question: ConsensusQuestion): Verdict {
  const { proposals, threshold = ALIGNMENT_MARGIN_THRESHOLD, trust } = question;
  const [only, ...others] = proposals;
  if (!only) return no('no proposals');
  if (others.length === 0 && threshold <= 1 && isTrusted(only, question))
    return yes(only, 'the only proposal');
  const camps = campsOf(question);
  const total = sum(camps.map(({ score }) => score));
  const [leader, runnerUp] = camps;
  if (!leader || total === 0)
    return no(trust ? 'no proposer is trusted yet' : 'nobody has any alignment yet');
  const margin = rounded((leader.score - (runnerUp?.score ?? 0)) / total);
  const measured = `margin ${margin.toFixed(2)} of "${leader.transitionName}", threshold ${threshold}`;
  return margin >= threshold ? yes(leader.best, measured, margin) : no(measured, margin);
}

/** Strongest first. */
function campsOf(question: ConsensusQuestion): readonly Camp[] {
  const { proposals } = question;
  const scored = proposals.map((proposal) => ({ proposal, score: weightOf(proposal, question) }));
  const names = [...new Set(proposals.map(({ transitionName }) => transitionName))];
  const camps = names.flatMap((transitionName): Camp[] => {
    const members = scored.filter(({ proposal }) => proposal.transitionName === transitionName);
    const [best] = members.toSorted((a, b) => b.score - a.score);
    return best
      ? [{ transitionName, score: sum(members.map(({ score }) => score)), best: best.proposal }]
      : [];
  });
  return camps.toSorted((a, b) => b.score - a.score);
}

/** Adds in ascending order: the sum does not depend on the order of arrival. */
function sum(numbers: readonly number[]): number {
  return rounded(numbers.toSorted((a, b) => a - b).reduce((total, next) => total + next, 0));
}

function rounded(value: number): number {
  return Math.round(value * 1e12) / 1e12;
}

function yes({ proposalId }: ProposalRef, reasoning: string, margin?: number): Verdict {
  return {
    consensusReached: true,
    winningProposalId: proposalId,
    reasoning,
    ...(margin !== undefined && { margin }),
  };
}

function no(reasoning: string, margin?: number): Verdict {
  return { consensusReached: false, reasoning, ...(margin !== undefined && { margin }) };
}
