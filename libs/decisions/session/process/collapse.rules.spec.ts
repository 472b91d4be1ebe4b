import { describe, expect, it } from '@jest/globals';
import type { CollapsePolicy } from '#lib/decisions/machines';
import { alignment, MARGIN } from '../testing/arbitration-examples.js';
import {
  created,
  FAILURE,
  proposed,
  sessionAfter,
  machine as support,
  solicited,
} from '../testing/session-examples.js';
import type { SessionEvent } from '../session.events.js';
import { nextMove } from './next-move.rules.js';
import type { Roster } from './roster.js';
import { loopMoves } from './session-loop.rules.js';

const score = (specialistId: string, score: number) => ({
  specialistId,
  specialistVersion: 1,
  score,
  comparisons: 20,
});
const roster: Roster = {
  proposers: ['assistant', 'other'],
  arbiter: MARGIN,
  alignment: { ...alignment(), scores: [score('assistant', 0.85), score('other', 0.5)] },
  quorum: 2,
};
const machine = (collapse: CollapsePolicy | undefined, more: object = {}) => ({
  ...support,
  ...(collapse && { collapse }),
  ...more,
});

function next(collapse: CollapsePolicy | undefined, events: readonly SessionEvent[], more: object = {}) {
  const session = sessionAfter(created({ machine: machine(collapse, more) }), ...events);
  return nextMove(session, roster);
}

describe('X-D11: when the definition lets a round collapse', () => {
  it('the champion alone is asked, and its proposal is enough', () => {
    expect(next({}, [])).toEqual({ move: 'solicit', specialistId: 'assistant' });
    expect(next({}, [proposed()])).toEqual({ move: 'arbitrate' });
    expect(next(undefined, [proposed()])).toEqual({ move: 'solicit', specialistId: 'other' });
  });

  it('a loop that hears everybody asks the champion alone', () => {
    const session = sessionAfter(created({ machine: machine({}) }));
    const progress = {
      pace: 'round',
      roundId: 'round-1',
      hasAsked: false,
      hasCalledHuman: false,
      cannotAsk: [],
    } as const;
    expect(loopMoves(session, roster, progress)).toEqual([{ move: 'solicit', specialistId: 'assistant' }]);
  });

  it('everybody is asked once the champion gave no proposal, and the quorum is the usual one', () => {
    const failed = [solicited(), FAILURE];
    expect(next({}, failed)).toEqual({ move: 'solicit', specialistId: 'other' });
    const other = proposed({ specialistId: 'other' });
    expect(next({}, [...failed, other])).toMatchObject({ move: 'ask-human', reason: 'no-quorum' });
  });

  it('no specialist decides alone without a trusted champion, or below a declared quorum', () => {
    const other = { move: 'solicit', specialistId: 'other' };
    expect(next({}, [proposed()], { trust: { minComparisons: 21 } })).toEqual(other);
    expect(next({}, [proposed()], { quorum: 2 })).toEqual(other);
  });

  it('a spot check asks everybody, and goes to a person whatever they propose', () => {
    expect(next({ spotCheckEvery: 1 }, [proposed()])).toEqual({ move: 'solicit', specialistId: 'other' });
    const both = [proposed(), proposed({ proposalId: 'proposal-2', specialistId: 'other' })];
    expect(next({ spotCheckEvery: 1 }, both)).toMatchObject({ move: 'ask-human', reason: 'spot-check' });
  });

  it('a spot check that a person was asked for stays one when the champion is trusted no more, or gives no proposal', () => {
    const policy = { spotCheckEvery: 1 };
    const both = [proposed(), proposed({ proposalId: 'proposal-2', specialistId: 'other' })];
    const reason = 'spot-check' as const;
    const called = { type: 'HumanInputRequested', data: { roundId: 'round-1', reason, detail: '' } } as const;
    const session = sessionAfter(created({ machine: machine(policy) }), ...both, called);
    const doubted = { ...roster, alignment: { ...alignment(), scores: [score('assistant', 0.7)] } };
    expect(nextMove(session, doubted)).toMatchObject({ move: 'ask-human', reason });
    const failed = [solicited(), FAILURE, proposed({ specialistId: 'other' })];
    expect(next(policy, failed)).toMatchObject({ move: 'ask-human', reason });
  });

  it('about one round in n is a spot check, the same for each process', () => {
    const isChecked = (n: number) => {
      const roundId = `round-${n}`;
      const session = sessionAfter(
        created({ machine: machine({ spotCheckEvery: 5 }), roundId }),
        proposed({ roundId }),
      );
      return nextMove(session, roster).move === 'solicit';
    };
    const checked = Array.from({ length: 1_000 }, (_, n) => isChecked(n)).filter(Boolean).length;
    expect(Math.abs(checked - 200)).toBeLessThan(40);
  });
});
