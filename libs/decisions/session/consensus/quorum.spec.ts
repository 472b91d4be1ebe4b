import { describe, expect, it } from '@jest/globals';
import { machine } from '../testing/session-examples.js';
import { engineQuorum, quorumShortfall, writtenQuorum } from './quorum.js';

const at = (quorum?: number, ofState?: number) => ({
  currentState: 'triage',
  machine: {
    ...machine,
    ...(quorum !== undefined && { quorum }),
    states: { ...machine.states, triage: ofState === undefined ? {} : { quorum: ofState } },
  },
});

describe('X-T1: the quorum of a round', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
    [9, 2],
  ])('with %d enabled proposers and none written is %d', (enabled, quorum) => {
    expect(engineQuorum(at(), enabled)).toBe(quorum);
  });

  it('is taken literally where it is written, of the state before the machine', () => {
    expect(engineQuorum(at(1), 3)).toBe(1);
    expect(engineQuorum(at(5), 3)).toBe(5);
    expect(engineQuorum(at(1, 4), 3)).toBe(4);
    expect(writtenQuorum(at(1, 4))).toBe(4);
    expect(writtenQuorum(at())).toBeUndefined();
    expect(writtenQuorum({ ...at(2), currentState: 'constructor' })).toBe(2);
  });

  it('is met by as many proposals, and says how many there are of fewer', () => {
    expect(quorumShortfall({ needed: 2, present: 2 })).toBeUndefined();
    expect(quorumShortfall({ needed: 0, present: 0 })).toBeUndefined();
    expect(quorumShortfall({ needed: 2, present: 1 })).toBe(
      'the round has 1 of the 2 proposals that a decision needs',
    );
  });
});
