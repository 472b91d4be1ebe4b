import { describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import {
  alignment,
  arbitrationRequested,
  basis,
  EXTERNAL,
  FIRST,
  MARGIN,
  NO_VERDICT,
  notReached,
  opposed,
} from '../testing/arbitration-examples.js';
import { created, executed, machine, proposed, sessionAfter } from '../testing/session-examples.js';
import { evaluateConsensus } from './evaluate-consensus.js';

const two = sessionAfter(created(), proposed(), opposed());
const looked = basis(EXTERNAL, [proposed(), opposed()]);

describe('evaluateConsensus', () => {
  it('D-36: asks a built-in about the round as it is', () => {
    expect(evaluateConsensus(two, FIRST, alignment())).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'proposal-1',
      reasoning: 'the first proposal is of assistant',
    });
    const trusted = alignment({ assistant: 0.2, other: 0.6 });
    expect(evaluateConsensus(two, { ...MARGIN, threshold: 0.5 }, trusted)).toStrictEqual({
      consensusReached: true,
      winningProposalId: 'proposal-2',
      reasoning: 'margin 0.50 of "escalate", threshold 0.5',
      margin: 0.5,
      threshold: 0.5,
    });
  });

  it('D-35: shows the threshold that holds, also the one of the strategy', () => {
    expect(evaluateConsensus(two, MARGIN, alignment({ other: 1 }))).toMatchObject({ threshold: 1 });
    const strict = sessionAfter(created({ machine: { ...machine, consensusThreshold: 0.9 } }), proposed());
    expect(evaluateConsensus(strict, { ...MARGIN, threshold: 0.5 }, alignment()).threshold).toBe(0.9);
  });

  it('D-36: changes nothing in the session', () => {
    const text = jsonText(two);
    evaluateConsensus(two, MARGIN, alignment({ other: 1 }));
    expect(jsonText(two)).toBe(text);
  });

  it('D-36: does not ask any other arbiter: it has not judged, until its verdict is recorded', () => {
    const unknown = { consensusReached: false, reasoning: 'the arbiter has not judged this round' };
    expect(evaluateConsensus(two, EXTERNAL, alignment())).toStrictEqual(unknown);
    const asked = sessionAfter(created(), proposed(), opposed(), arbitrationRequested(looked));
    expect(evaluateConsensus(asked, EXTERNAL, alignment())).toStrictEqual(unknown);
  });

  it('D-36: shows the last recorded verdict of any other arbiter', () => {
    const said = notReached(looked, { reasoning: 'too close', margin: 0.1 });
    const judged = sessionAfter(created(), proposed(), opposed(), said);
    expect(evaluateConsensus(judged, { ...EXTERNAL, threshold: 0.5 }, alignment())).toStrictEqual({
      consensusReached: false,
      reasoning: 'too close',
      margin: 0.1,
      threshold: 0.5,
    });
    const failed = sessionAfter(created(), proposed(), arbitrationRequested(looked), NO_VERDICT);
    expect(evaluateConsensus(failed, EXTERNAL, alignment()).reasoning).toBe('HTTP 500: busy');
  });

  it('D-36: shows the verdict of another arbiter, or of a round that is over, to nobody', () => {
    const reasoning = 'the arbiter has not judged this round';
    const judged = sessionAfter(created(), proposed(), opposed(), notReached(looked));
    const successor = { ...EXTERNAL, specialistId: 'successor' };
    expect(evaluateConsensus(judged, successor, alignment()).reasoning).toBe(reasoning);
    const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });
    const over = sessionAfter(created(), proposed(), notReached(looked), escalated);
    expect(evaluateConsensus(over, EXTERNAL, alignment()).reasoning).toBe(reasoning);
  });
});
