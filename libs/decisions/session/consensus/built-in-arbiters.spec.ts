import { describe, expect, it } from '@jest/globals';
import { alignmentMargin } from './alignment-margin.js';
import { builtInArbiter, builtInArbiters, builtInThreshold, firstProposal } from './built-in-arbiters.js';

describe('builtInArbiter', () => {
  it('D-16: knows firstProposal, alignmentMargin, and aheadByK as the older name of the latter', () => {
    expect(builtInArbiters).toEqual({ firstProposal, alignmentMargin, aheadByK: alignmentMargin });
    expect(builtInArbiter({ strategyFnName: 'aheadByK' })).toBe(alignmentMargin);
  });

  it.each(['committee', 'constructor', '__proto__', ''])('knows none called "%s"', (strategyFnName) => {
    expect(builtInArbiter({ strategyFnName })).toBeUndefined();
    expect(builtInThreshold({ strategyFnName })).toBeUndefined();
  });

  it('knows none behind a webhook', () => {
    expect(builtInArbiter({})).toBeUndefined();
    expect(builtInThreshold({})).toBeUndefined();
  });

  it('D-33: goes by a threshold of 1 when margins are measured, by none for the first proposal', () => {
    const names = ['firstProposal', 'alignmentMargin', 'aheadByK'];
    expect(names.map((strategyFnName) => builtInThreshold({ strategyFnName }))).toEqual([undefined, 1, 1]);
  });
});
