import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { alignmentMargin } from './alignment-margin.js';
import type { ConsensusQuestion, ProposalRef } from './consensus-question.js';

const score = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.constantFrom(0, 0.1, 0.2, 0.3, 0.5, 0.6, 0.7, 1),
);
const one = fc.record({
  transitionName: fc.constantFrom('go', 'stay', 'wait', '__proto__'),
  isHuman: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  score,
});
const threshold = fc.option(score, { nil: undefined });

/** A question, and the same one with its proposals and scores in another order. */
const questions = fc
  .record({ ones: fc.array(one, { maxLength: 7 }), threshold, seed: fc.nat() })
  .map(({ ones, threshold, seed }) => {
    const proposals = ones.map(({ transitionName, isHuman }, n): ProposalRef => ({
      proposalId: `p${n}`,
      specialistId: `s${n}`,
      specialistVersion: 1,
      isHuman,
      transitionName,
    }));
    const scores = ones.map(({ score }, n) => ({ specialistId: `s${n}`, specialistVersion: 1, score }));
    const question = (turn: <T>(list: readonly T[]) => readonly T[]): ConsensusQuestion => ({
      proposals: turn(proposals),
      alignment: { rule: 'any', ruleVersion: 1, scores: turn(scores) },
      ...(threshold !== undefined && { threshold }),
    });
    return { question: question((list) => list), turned: question((list) => turnedBy(seed, list)), ones };
  });

/** The list in another order. */
function turnedBy<T>(seed: number, list: readonly T[]): readonly T[] {
  const rest = [...list];
  return list.flatMap((_, n) => rest.splice((seed * 31 + n * 17) % rest.length, 1));
}

const nameOf = ({ proposals }: ConsensusQuestion, id: string | undefined) =>
  proposals.find(({ proposalId }) => proposalId === id)?.transitionName;

/** The alignment of each transition, with more digits than the rule compares. */
function camps(ones: readonly { transitionName: string; isHuman: boolean; score: number }[]) {
  const names = [...new Set(ones.map(({ transitionName }) => transitionName))];
  return names.map((name) => {
    const members = ones.filter(({ transitionName }) => transitionName === name);
    const scores = members.map(({ isHuman, score }) => (isHuman ? 1 : score));
    return { name, score: scores.reduce((sum, next) => sum + next, 0), best: Math.max(...scores), scores };
  });
}

describe('alignmentMargin, for any proposals', () => {
  it('comes to the same yes or no, and the same margin to the last bit, in whatever order they arrived', () => {
    fc.assert(
      fc.property(questions, ({ question, turned }) => {
        const { consensusReached, margin } = alignmentMargin(turned);
        expect(alignmentMargin(question)).toMatchObject({
          consensusReached,
          ...(margin !== undefined && { margin }),
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('lets the same proposal win in whatever order, unless two transitions or its two best are equal: then the first', () => {
    fc.assert(
      fc.property(questions, ({ question, turned, ones }) => {
        const [winner, other] = [question, turned].map((one) => alignmentMargin(one).winningProposalId);
        const sorted = camps(ones).toSorted((a, b) => b.score - a.score);
        const isTied = sorted.length > 1 && (sorted[0]?.score ?? 0) - (sorted[1]?.score ?? 0) < 1e-9;
        const leading = isTied ? sorted : sorted.slice(0, 1);
        expect(isTied || nameOf(turned, other) === nameOf(question, winner)).toBe(true);
        const equals = leading.flatMap(({ scores, best }) => scores.filter((score) => score === best));
        expect(equals.length > 1 || other === winner).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('names a winner exactly when there is consensus, one of the proposals, and of those equal to it the first', () => {
    fc.assert(
      fc.property(questions, ({ question, ones }) => {
        const { consensusReached, winningProposalId } = alignmentMargin(question);
        const ids = question.proposals.map(({ proposalId }) => proposalId);
        expect(winningProposalId !== undefined && ids.includes(winningProposalId)).toBe(consensusReached);
        const [best] = camps(ones).filter(({ name }) => name === nameOf(question, winningProposalId));
        const first = ones.findIndex(
          ({ transitionName, isHuman, score }) =>
            transitionName === best?.name && (isHuman ? 1 : score) === best.best,
        );
        expect(winningProposalId ?? 'p-1').toBe(`p${first}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('measures a margin from 0 to 1, and never turns a yes into a no when the threshold is lower', () => {
    fc.assert(
      fc.property(questions, score, ({ question }, lower) => {
        const { margin = 0, consensusReached } = alignmentMargin(question);
        expect(margin >= 0 && margin <= 1).toBe(true);
        const threshold = Math.min(lower, question.threshold ?? 1);
        expect(alignmentMargin({ ...question, threshold }).consensusReached || !consensusReached).toBe(true);
      }),
    );
  });
});
