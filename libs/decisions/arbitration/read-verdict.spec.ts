import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readVerdict } from './read-answer.js';

const won = { consensusReached: true, winningProposalId: 'p' };

describe('readVerdict', () => {
  it.each([
    ['a winner alone', won, { ...won, reasoning: '' }],
    ['no consensus alone', { consensusReached: false }, { consensusReached: false, reasoning: '' }],
    [
      'reasoning and margin',
      { ...won, margin: 0, reasoning: 'clear' },
      { ...won, reasoning: 'clear', margin: 0 },
    ],
    [
      'what the verdict took, member by member',
      { ...won, costUSD: 0.5, latencyMsec: 0, numInputTokens: -1, numOutputTokens: 'many' },
      { ...won, reasoning: '', costUSD: 0.5, latencyMsec: 0 },
    ],
    ['members it does not know', { ...won, score: 3 }, { ...won, reasoning: '' }],
    [
      'a winner without consensus',
      { consensusReached: false, winningProposalId: 'p' },
      { consensusReached: false, reasoning: '' },
    ],
  ])('takes %s', (_, said, verdict) => {
    expect(JSON.stringify(readVerdict(said))).toBe(JSON.stringify(verdict));
  });

  it.each<[string, unknown, string]>([
    ['no object', ['p'], 'no object'],
    ['null', null, 'no object'],
    ['an object that says nothing', {}, 'neither true nor false'],
    ['"true" as text', { ...won, consensusReached: 'true' }, 'neither true nor false'],
    ['consensus without a winner', { consensusReached: true }, 'missing winner'],
    ['a winner of no length', { ...won, winningProposalId: '' }, 'missing winner'],
    ['a winner that is no text', { ...won, winningProposalId: 1 }, 'missing winner'],
    ['a reasoning that is no text', { ...won, reasoning: null }, 'reasoning'],
    ['a margin that is no number', { ...won, margin: '0.5' }, 'margin'],
    ['a margin that no event can hold', { ...won, margin: Infinity }, 'margin'],
  ])('does not take %s, and says why', (_, said, why) => {
    expect(readVerdict(said)).toEqual({ unusable: expect.stringContaining(why) });
  });

  it('never throws, and gives a verdict only when something says whether there is consensus', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (said) => {
        const read = readVerdict(said);
        expect('unusable' in read || typeof read.consensusReached === 'boolean').toBe(true);
      }),
    );
  });
});
