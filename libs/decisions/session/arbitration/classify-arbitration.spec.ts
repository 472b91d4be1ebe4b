import { describe, expect, it } from '@jest/globals';
import { type ArbitrationQuestion, classifyArbitration } from './classify-arbitration.js';

const transitions = { refund: 'refunded', escalate: { target: 'escalated', description: 'Ask somebody' } };
const question: ArbitrationQuestion = { currentRoundId: 'round-2', transitions, proposalCount: 2 };
const forced = { transitionName: 'refund', isHuman: true } as const;
const classified = (over: Partial<ArbitrationQuestion>) => classifyArbitration({ ...question, ...over });

describe('classifyArbitration', () => {
  it('D-37: is stale for any round but the current one', () => {
    expect(classified({ roundId: 'round-1' })).toStrictEqual({ type: 'stale' });
    expect(classified({ roundId: 'round-9' })).toStrictEqual({ type: 'stale' });
  });

  it('D-37: means the current round when none is named', () => {
    expect(classified({})).toStrictEqual({ type: 'evaluate' });
    expect(classified({ roundId: 'round-2' })).toStrictEqual({ type: 'evaluate' });
  });

  it('D-37: classifies an override by a specialist that is not human as notHuman', () => {
    expect(classified({ transitionName: 'refund', isHuman: false })).toStrictEqual({ type: 'notHuman' });
    expect(classified({ transitionName: 'refund' })).toStrictEqual({ type: 'notHuman' });
  });

  it.each(['close', '', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'D-37: calls a force of "%s" an invalidTransition: it is not in the state',
    (transitionName) => {
      expect(classified({ transitionName, isHuman: true })).toStrictEqual({
        type: 'invalidTransition',
        transitionName,
      });
    },
  );

  it.each([
    ['a string', 'refund', 'refunded'],
    ['an object', 'escalate', 'escalated'],
  ])('D-37: finds the target of a transition that is %s', (_, transitionName, toState) => {
    expect(classified({ transitionName, isHuman: true })).toStrictEqual({
      type: 'humanOverride',
      transitionName,
      toState,
    });
  });

  it.each(['constructor', '__proto__'])('D-37: finds a transition that is called %s', (transitionName) => {
    const own = Object.fromEntries([[transitionName, 'refunded']]);
    expect(classified({ transitions: own, transitionName, isHuman: true })).toStrictEqual({
      type: 'humanOverride',
      transitionName,
      toState: 'refunded',
    });
  });

  it('D-37: evaluates proposals for any caller, and reports that there are none', () => {
    expect(classified({ isHuman: true })).toStrictEqual({ type: 'evaluate' });
    expect(classified({ proposalCount: 1 })).toStrictEqual({ type: 'evaluate' });
    expect(classified({ proposalCount: 0 })).toStrictEqual({ type: 'noProposals' });
  });

  it('X-T1: evaluates from as many proposals as the quorum, and says how many there are of fewer', () => {
    expect(classified({ quorum: 2 })).toStrictEqual({ type: 'evaluate' });
    expect(classified({ quorum: 3 })).toStrictEqual({ type: 'noQuorum', needed: 3, present: 2 });
    expect(classified({ quorum: 3, proposalCount: 0 })).toStrictEqual({ type: 'noProposals' });
    expect(classified({ ...forced, quorum: 3 })).toMatchObject({ type: 'humanOverride' });
  });

  it('D-37: needs no proposals for an override', () => {
    expect(classified({ ...forced, proposalCount: 0 })).toMatchObject({ type: 'humanOverride' });
  });

  it('D-37: checks in order: the round, then who forces, then what; proposals only without a force', () => {
    const wrong = { transitionName: 'close', isHuman: false, proposalCount: 0 };
    expect(classified({ ...wrong, roundId: 'round-1' }).type).toBe('stale');
    expect(classified(wrong).type).toBe('notHuman');
    expect(classified({ ...wrong, isHuman: true }).type).toBe('invalidTransition');
    expect(classified({ roundId: 'round-1', proposalCount: 0 }).type).toBe('stale');
  });
});
