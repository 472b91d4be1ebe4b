import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { SessionEvent } from '#lib/decisions/session';
import { id, type PlacedEvent, sessionCreated, timeOf } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { listProposals } from './proposals.queries.js';

const sessionId = id('session');
const placed = (event: SessionEvent): PlacedEvent => ({ category: 'session', id: sessionId, event });

function proposal(name: string, roundId = 'r1') {
  return {
    proposalId: id(name),
    roundId,
    specialistId: name,
    specialistVersion: 1,
    isHuman: false,
    transitionName: 'approve',
    toState: 'constructor',
    reasoning: 'because',
  };
}
const submitted = (name: string, roundId?: string) =>
  placed({ type: 'ProposalSubmitted', data: proposal(name, roundId) });
const setAside = (name: string, reason: 'late' | 'duplicate' | 'invalid') =>
  placed({ type: 'ProposalSetAside', data: { ...proposal(name), reason } });
const executed = (proposalName?: string) =>
  placed({
    type: 'TransitionExecuted',
    data: {
      roundId: 'r1',
      nextRoundId: 'r2',
      transitionName: 'approve',
      fromState: 'draft',
      toState: 'constructor',
      reasoning: '',
      isHuman: false,
      decidedBy: 'judge',
      ...(proposalName !== undefined && { proposalId: id(proposalName) }),
    },
  });

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

async function statuses(events: readonly PlacedEvent[], roundId?: string) {
  const { db } = await parts.project([placed(sessionCreated(sessionId)), ...events], [sessionsModel]);
  const page = await listProposals(db, { sessionId, ...(roundId !== undefined && { roundId }) });
  if (!('items' in page)) throw new Error(page.message);
  return page.items.map(({ specialistId, status }) => `${specialistId} ${status}`);
}

it('D-24: shows a proposal whole, with only the members it has', async () => {
  const whole = {
    ...proposal('a'),
    isHuman: true,
    metaJson: { z: 1, a: [null] },
    costUSD: 0,
    latencyMsec: 12.5,
    numInputTokens: 3,
    numOutputTokens: 0,
    solicitationId: id('solicitation'),
  };
  const { db } = await parts.project(
    [placed(sessionCreated(sessionId)), placed({ type: 'ProposalSubmitted', data: whole }), submitted('b')],
    [sessionsModel],
  );
  const listed = await listProposals(db, { sessionId });
  expect('items' in listed && listed.items).toStrictEqual([
    { ...whole, sessionId, status: 'open', createdAt: timeOf(1) },
    { ...proposal('b'), sessionId, status: 'open', createdAt: timeOf(2) },
  ]);
});

it('lets the granted proposal win and the other open ones of the round lose', async () => {
  const events = [submitted('a'), submitted('b'), executed('b'), submitted('c', 'r2')];
  expect(await statuses(events)).toEqual(['a lost', 'b won', 'c open']);
});

it('lets every open proposal lose when a transition was executed over them', async () => {
  expect(await statuses([submitted('a'), submitted('b'), executed()])).toEqual(['a lost', 'b lost']);
});

it('keeps what was set aside: late when it came late, else lost', async () => {
  const events = [
    submitted('a'),
    setAside('b', 'duplicate'),
    setAside('c', 'invalid'),
    executed('a'),
    setAside('d', 'late'),
  ];
  expect(await statuses(events)).toEqual(['a won', 'b lost', 'c lost', 'd late']);
});

it('leaves late what came late, even when its round is ended again', async () => {
  const events = [submitted('a'), executed('a'), setAside('b', 'late'), executed('b')];
  expect(await statuses(events)).toEqual(['a won', 'b late']);
});

it('lists the proposals of one round', async () => {
  expect(await statuses([submitted('a'), executed('a'), submitted('b', 'r2')], 'r2')).toEqual(['b open']);
});
