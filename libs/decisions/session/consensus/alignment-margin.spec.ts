import { describe, expect, it } from '@jest/globals';
import { alignment } from '../testing/arbitration-examples.js';
import { alignmentMargin } from './alignment-margin.js';
import type { ProposalRef } from './consensus-question.js';

/** `name:transition`, in the order of arrival; names that begin with "h" are human. */
function proposals(...texts: readonly string[]): readonly ProposalRef[] {
  return texts.map((text) => {
    const [specialistId = '', transitionName = ''] = text.split(':');
    const isHuman = specialistId.startsWith('h');
    return {
      proposalId: `of-${specialistId}`,
      specialistId,
      specialistVersion: 1,
      isHuman,
      transitionName,
    };
  });
}

function judged(
  texts: readonly string[],
  scores: { readonly [specialistId: string]: number } = {},
  threshold?: number,
) {
  const limit = threshold !== undefined && { threshold };
  return alignmentMargin({ proposals: proposals(...texts), alignment: alignment(scores), ...limit });
}

describe('alignmentMargin', () => {
  it('D-33: without proposals there is no consensus', () => {
    expect(judged([])).toStrictEqual({ consensusReached: false, reasoning: 'no proposals' });
  });

  it.each([undefined, 0, 0.5, 1])(
    'D-33: a lone proposal wins at once at threshold %p, trusted or not',
    (threshold) => {
      expect(judged(['a:go'], {}, threshold)).toStrictEqual({
        consensusReached: true,
        winningProposalId: 'of-a',
        reasoning: 'the only proposal',
      });
    },
  );

  it('D-33: a lone proposal is measured when the threshold is above 1, and nothing can reach that', () => {
    expect(judged(['a:go'], { a: 1 }, 1.1)).toMatchObject({ consensusReached: false, margin: 1 });
    expect(judged(['a:go'], {}, 1.1)).toMatchObject({ consensusReached: false });
  });

  it('D-33: when no proposer has any alignment there is no consensus, however many agree', () => {
    expect(judged(['a:go', 'b:go'], { a: 0 }, 0)).toStrictEqual({
      consensusReached: false,
      reasoning: 'nobody has any alignment yet',
    });
  });

  it('D-33: the margin is what the leading transition is ahead, of all alignment', () => {
    const verdict = judged(['a:go', 'b:stay', 'c:go'], { a: 0.5, b: 0.25, c: 0.25 }, 0.5);
    expect(verdict).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'of-a',
      reasoning: 'margin 0.50 of "go", threshold 0.5',
      margin: 0.5,
    });
  });

  it('D-33: a margin under the threshold is no consensus, and is measured all the same', () => {
    const verdict = judged(['a:go', 'b:stay', 'c:go'], { a: 0.5, b: 0.25, c: 0.25 }, 0.51);
    expect(verdict).toStrictEqual({
      consensusReached: false,
      reasoning: 'margin 0.50 of "go", threshold 0.51',
      margin: 0.5,
    });
  });

  it('D-33: only the two strongest transitions count in the difference, all of them in the total', () => {
    const verdict = judged(['a:go', 'b:stay', 'c:wait'], { a: 0.6, b: 0.3, c: 0.1 }, 0.3);
    expect(verdict).toMatchObject({ consensusReached: true, margin: 0.3 });
  });

  it('D-33: when all agree the runner-up has 0: the margin is 1', () => {
    expect(judged(['a:go', 'b:go'], { b: 0.1 })).toMatchObject({
      consensusReached: true,
      winningProposalId: 'of-b',
      margin: 1,
    });
  });

  it('D-33: the threshold is 1 when none is set: no trusted proposer may stand against the leader', () => {
    expect(judged(['a:go', 'b:stay'], { a: 1, b: 0.01 })).toMatchObject({ consensusReached: false });
    expect(judged(['a:go', 'b:stay'], { a: 1, b: 0 })).toMatchObject({ consensusReached: true, margin: 1 });
  });

  it('D-33: the most trusted proposal of the leading transition wins, the first of equals', () => {
    expect(judged(['a:go', 'b:go', 'c:go'], { a: 0.2, b: 0.9, c: 0.9 })).toMatchObject({
      winningProposalId: 'of-b',
    });
  });

  it('D-33: of transitions that are equal the one proposed first leads, by a margin of 0', () => {
    const scores = { a: 0.5, b: 0.5 };
    expect(judged(['b:stay', 'a:go'], scores, 0)).toMatchObject({ winningProposalId: 'of-b', margin: 0 });
    expect(judged(['b:stay', 'a:go'], scores, 0.01)).toMatchObject({ consensusReached: false, margin: 0 });
  });

  it.each([
    ['small to great', ['c:go', 'd:go', 'e:go']],
    ['great to small', ['e:go', 'd:go', 'c:go']],
  ])('D-33: transitions are equal that floating point alone would tell apart, added %s', (_, others) => {
    const scores = { b: 0.6, c: 0.1, d: 0.2, e: 0.3 };
    expect(judged(['b:stay', ...others], scores, 0)).toMatchObject({ winningProposalId: 'of-b', margin: 0 });
    expect(judged([...others, 'b:stay'], scores, 0)).toMatchObject({ winningProposalId: 'of-e', margin: 0 });
  });

  it('D-34: a human has 1, whatever is said of them; somebody unknown has 0', () => {
    expect(judged(['ha:go', 'b:stay'], { ha: 0.1, b: 1 }, 0)).toMatchObject({ margin: 0 });
    expect(judged(['x:go', 'b:stay'], { b: 0.1 })).toMatchObject({ winningProposalId: 'of-b', margin: 1 });
  });

  it('clamps scores to what alignment can be', () => {
    expect(judged(['a:go', 'b:stay'], { a: 7, b: 1 }, 0)).toMatchObject({ margin: 0 });
    expect(judged(['a:go', 'b:stay'], { a: 0.5, b: -3 })).toMatchObject({ margin: 1 });
  });

  it.each([
    ['0.6 - 0.4', { a: 0.6, b: 0.4 }, 0.2],
    ['0.1 + 0.2 - 0.3', { a: 0.1, c: 0.2, b: 0.3 }, 0],
    ['0.7 - 0.1', { a: 0.7, b: 0.1 }, 0.75],
  ])('reaches a threshold that floating point alone would miss: %s', (_, scores, threshold) => {
    const texts = Object.keys(scores).map((name) => `${name}:${name === 'b' ? 'stay' : 'go'}`);
    expect(judged(texts, scores, threshold)).toMatchObject({
      consensusReached: true,
      winningProposalId: texts.includes('c:go') ? 'of-c' : 'of-a',
      margin: threshold,
    });
  });

  it.each(['constructor', '__proto__', 'toString'])('takes %s for a name like any other', (name) => {
    const verdict = judged([`a:${name}`, 'b:stay', `c:${name}`], { a: 0.4, b: 0.4, c: 0.4 }, 0.3);
    expect(verdict).toMatchObject({ consensusReached: true, winningProposalId: 'of-a' });
    expect(judged([`${name}:go`, 'b:stay'], { b: 0.5 })).toMatchObject({ winningProposalId: 'of-b' });
  });
});
