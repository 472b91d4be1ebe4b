import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ProposalSetAside } from '#lib/decisions/session';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { specialistsModel } from '../specialists/specialists.read-model.js';
import { id, type PlacedEvent, sampleMachine, sessionCreated } from '../testing/sample-log.js';
import { executed, inSession, override, proposalOf, submitted } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { accuracyOf } from './accuracy-of.js';

const created = (name: string, machineName: string) =>
  inSession(id(name), sessionCreated(id(name), { ...sampleMachine, machineName }));
const registered: PlacedEvent = {
  category: 'specialist',
  id: 'a',
  event: {
    type: 'ProposerRegistered',
    data: { specialistId: 'a', machineName: 'review', version: 1, isHuman: false },
  },
};

/** A proposal of `a` in the session `one`, with a cost, that was set aside. */
function setAside(reason: ProposalSetAside['data']['reason'], roundId: string): PlacedEvent {
  const proposal = proposalOf('a', 'approve', { roundId, proposalId: id(reason), costUSD: 1_000 });
  return inSession(id('one'), { type: 'ProposalSetAside', data: { ...proposal, reason } });
}

/** A round of a session with this proposal of `a` and the decision "approve" to "constructor". */
function round(
  name: string,
  n: number,
  over: Parameters<typeof submitted>[2],
  transitionName = 'approve',
  beforeDecision: readonly PlacedEvent[] = [],
) {
  const roundId = `r${n}`;
  return [
    inSession(id(name), submitted('a', transitionName, { roundId, proposalId: id(`${name} ${n}`), ...over })),
    inSession(
      id(name),
      submitted('b', 'approve', { roundId, proposalId: id(`b ${name} ${n}`), costUSD: 100 }),
    ),
    ...beforeDecision,
    inSession(id(name), override([], { roundId })),
    inSession(id(name), executed({ roundId, isHuman: true })),
  ];
}

const events = [
  registered,
  created('one', 'review'),
  created('two', 'other'),
  ...round('one', 1, { toState: 'done', costUSD: 0.5, latencyMsec: 100 }, 'back'),
  ...round('two', 1, { latencyMsec: 20 }),
  ...round('one', 2, { costUSD: 0.25 }, 'constructor', [setAside('duplicate', 'r2')]),
  setAside('late', 'r1'),
  inSession(id('one'), submitted('a', 'approve', { roundId: 'open', proposalId: id('open') })),
];

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const project = () => parts.project(events, [sessionsModel, specialistsModel]);

it('D-48: compares what was proposed with what was decided, without proposals that were set aside', async () => {
  const { db } = await project();
  expect(await accuracyOf(db, { specialistId: 'a' }, { lookback: 10 })).toEqual({
    specialistId: 'a',
    rounds: 2,
    matchingChoices: 0,
    transitionRate: 0,
    stateRate: 1 / 2,
    alignmentScore: 0,
    totalCostUSD: 0.75,
    meanLatencyMsec: 100,
  });
});

it('D-48: looks at the last rounds alone, of another machine when one is named', async () => {
  const { db } = await project();
  expect(await accuracyOf(db, { specialistId: 'a' }, { lookback: 1 })).toMatchObject({
    rounds: 1,
    totalCostUSD: 0.25,
  });
  expect(await accuracyOf(db, { specialistId: 'a' }, { lookback: 1, machineName: 'other' })).toEqual({
    specialistId: 'a',
    rounds: 1,
    matchingChoices: 1,
    transitionRate: 1,
    stateRate: 1,
    alignmentScore: expect.closeTo(0.2065, 4),
    totalCostUSD: null,
    meanLatencyMsec: 20,
  });
});

it('D-48: has null rates without rounds, and refuses an unknown specialist', async () => {
  const { db } = await project();
  expect(await accuracyOf(db, { specialistId: 'a' }, { lookback: 5, machineName: 'no machine' })).toEqual({
    specialistId: 'a',
    rounds: 0,
    matchingChoices: 0,
    transitionRate: null,
    stateRate: null,
    alignmentScore: 0,
    totalCostUSD: null,
    meanLatencyMsec: null,
  });
  expect(await accuracyOf(db, { specialistId: 'b' }, { lookback: 5 })).toMatchObject({
    code: 'unknown-specialist',
  });
});
