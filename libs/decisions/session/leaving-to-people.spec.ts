import { describe, expect, it } from '@jest/globals';
import { fold } from '#lib/kernel';
import { specify } from '#lib/kernel/testing';
import { decideSession } from './session.decide.js';
import { sessionDecider, sessionDeciderLeavingToPeople } from './session.decider.js';
import { arbitrate, NEEDED, requestHuman } from './testing/arbitration-examples.js';
import {
  at,
  created,
  execute,
  executed,
  proposed,
  setAside,
  solicit,
  submit,
} from './testing/session-examples.js';

const { given } = specify(sessionDeciderLeavingToPeople);
const left = [arbitrate(), solicit(), submit()];
const next = executed({ transitionName: 'escalate', toState: 'escalated' });
const neededNext = { ...NEEDED, data: { ...NEEDED.data, roundId: 'round-2' } };

describe('a session for callers that leave waiting rounds to people', () => {
  it.each(left)('X-T2: refuses $type in a round that waits for a person', (command) => {
    given([created(), NEEDED])
      .when(at('round-1', command))
      .thenRejected({ rejected: 'conflict', code: 'waits-for-person' });
  });

  it.each(left)('decides about $type as for all callers when no person is waited for', (command) => {
    for (const [roundId, ...history] of [
      ['round-1', created()],
      ['round-1', created(), NEEDED, proposed({ specialistId: 'other' })],
      ['round-2', created(), NEEDED, next],
    ] as const) {
      const state = fold(sessionDecider, history);
      const placed = at(roundId, command);
      const decision = sessionDeciderLeavingToPeople.decide(placed, state);
      expect(decision).toEqual(decideSession(placed, state));
      expect(decision).not.toMatchObject({ code: 'waits-for-person' });
    }
  });

  it('keeps a late proposal for a past round, as always', () => {
    given([created(), next, neededNext])
      .when(at('round-1', submit()))
      .then([setAside('late')]);
  });

  it("takes the request for a person, and an operator's transition", () => {
    given([created()]).when(requestHuman()).then([NEEDED]);
    given([created(), NEEDED]).when(at('round-1', execute())).then([executed()]);
  });
});
