import { describe, expect, it } from '@jest/globals';
import { callerGiven, mergeGiven, spendingOf } from './choice.js';
import { spendingMembers, statedMembers } from './proposal.members.js';

const chosen = { transitionName: 'approve', toState: 'approved', reasoning: 'It fits.', costUSD: 1 };

describe('the optional members of a proposal', () => {
  it('are in events in the order of their declaration', () => {
    expect(Object.keys(statedMembers)).toEqual([
      'reasoning',
      'metaJson',
      'costUSD',
      'latencyMsec',
      'numInputTokens',
      'numOutputTokens',
    ]);
    const given = { numOutputTokens: 2, latencyMsec: 1, metaJson: {}, reasoning: '' };
    expect(Object.keys(mergeGiven(chosen, given))).toEqual([
      'transitionName',
      'toState',
      'reasoning',
      'metaJson',
      'costUSD',
      'latencyMsec',
      'numOutputTokens',
    ]);
  });

  it('replace those of the choice where the caller gave them: 0, an empty text and an empty object count as given', () => {
    const given = { reasoning: '', metaJson: {}, costUSD: 0 };
    expect(mergeGiven({ ...chosen, metaJson: { a: 1 } }, given)).toEqual({ ...chosen, ...given });
    expect(mergeGiven(chosen, {})).toEqual(chosen);
  });

  it('are all that is kept of what a caller sends', () => {
    const sent = { ...chosen, numInputTokens: 3, other: true };
    expect(callerGiven(sent)).toEqual({ reasoning: 'It fits.', costUSD: 1, numInputTokens: 3 });
    expect(spendingOf({ costUSD: 0 }, sent)).toEqual({ costUSD: 0, numInputTokens: 3 });
  });

  it.each(['-1', 'NaN', 'Infinity', '"1"', 'null'])('are no amount: %s', (value) => {
    const given: unknown = value.startsWith('"') || value === 'null' ? JSON.parse(value) : Number(value);
    for (const { fits } of Object.values(spendingMembers)) expect(fits(given)).toBe(false);
  });
});
