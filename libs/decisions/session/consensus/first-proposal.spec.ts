import { describe, expect, it } from '@jest/globals';
import { alignment, opposed } from '../testing/arbitration-examples.js';
import { proposed } from '../testing/session-examples.js';
import { firstProposal } from './built-in-arbiters.js';

describe('firstProposal', () => {
  it('D-16: the proposal that arrived first wins, at any trust and threshold', () => {
    const proposals = [proposed().data, opposed().data];
    const question = { alignment: alignment({ other: 1 }), threshold: 1 };
    expect(firstProposal({ proposals, ...question })).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'proposal-1',
      reasoning: 'assistant proposed first',
    });
    expect(firstProposal({ proposals: proposals.toReversed(), ...question })).toMatchObject({
      winningProposalId: 'proposal-2',
    });
  });

  it('D-16: without proposals there is no consensus', () => {
    expect(firstProposal({ proposals: [], alignment: alignment() })).toStrictEqual({
      consensusReached: false,
      reasoning: 'no proposals',
    });
  });
});
