import { describe, expect, it } from '@jest/globals';
import { specify } from '#lib/kernel/testing';
import { sessionDecider } from './session.decider.js';
import type { SessionEvent } from './session.events.js';
import {
  arbitrationRequested,
  basis,
  EXTERNAL,
  MARGIN,
  NEEDED,
  notReached,
  requestHuman,
} from './testing/arbitration-examples.js';
import {
  created,
  executed,
  FAILURE,
  proposed,
  sessionAfter,
  setAside,
  solicited,
} from './testing/session-examples.js';

const { given } = specify(sessionDecider);
const escalated = executed({ transitionName: 'escalate', toState: 'escalated' });

describe('RequestHumanInput', () => {
  it('D-43: says that the round waits for a person, and why', () => {
    given([created()]).when(requestHuman()).then([NEEDED]);
    given([created(), proposed()])
      .when(requestHuman({ proposalsSeen: 1, reason: 'no-consensus', detail: 'split' }))
      .then([
        {
          type: 'HumanInputRequested',
          data: { roundId: 'round-1', reason: 'no-consensus', detail: 'split' },
        },
      ]);
  });

  it('is recorded once, for any reason', () => {
    given([created(), NEEDED]).when(requestHuman()).thenNothing();
    given([created(), NEEDED])
      .when(requestHuman({ reason: 'no-arbiter' }))
      .thenNothing();
  });

  it('says it again after a proposal came that did not help', () => {
    const again = requestHuman({ proposalsSeen: 1 });
    given([created(), NEEDED, proposed()]).when(again).then([NEEDED]);
    given([created(), NEEDED, proposed(), NEEDED]).when(again).thenNothing();
  });

  it('says it in the next round on its own account', () => {
    given([created(), NEEDED, escalated])
      .when(requestHuman({ roundId: 'round-2' }))
      .then([{ ...NEEDED, data: { ...NEEDED.data, roundId: 'round-2' } }]);
  });

  it.each<[string, readonly SessionEvent[], string]>([
    ['a round that is over', [escalated], 'round-1'],
    ['a round that never was', [], 'round-9'],
    ['a session at rest', [executed()], 'round-2'],
  ])('does not say it of %s', (_, more, roundId) => {
    given([created(), ...more])
      .when(requestHuman({ roundId }))
      .thenNothing();
  });

  it('does not say it when a proposal came since: that may decide the round', () => {
    given([created(), proposed()]).when(requestHuman()).thenNothing();
  });

  it('X-T2: does not say it while a proposer or the arbiter is being asked: the answer may decide the round', () => {
    const judging = arbitrationRequested(basis(EXTERNAL, [proposed()]));
    given([created(), solicited()]).when(requestHuman()).thenNothing();
    given([created(), solicited(), FAILURE]).when(requestHuman()).then([NEEDED]);
    given([created(), proposed(), judging])
      .when(requestHuman({ proposalsSeen: 1 }))
      .thenNothing();
  });
});

describe('a session', () => {
  const awaits = (...events: readonly SessionEvent[]) => sessionAfter(created(), ...events).awaitsHuman;

  it('D-43: awaits a human from the request for one until a proposal or a transition comes', () => {
    expect([awaits(), awaits(NEEDED), awaits(NEEDED, proposed()), awaits(NEEDED, escalated)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('D-43: keeps waiting for a human after any other event', () => {
    const split = notReached(basis(MARGIN, [proposed()]));
    expect(awaits(NEEDED, solicited(), FAILURE, setAside('late'), split)).toBe(true);
  });
});
