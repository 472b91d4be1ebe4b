import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { SessionEvent } from '#lib/session';
import type { SolicitationEvent } from '#lib/solicitation';
import { id, type PlacedEvent, timeOf } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { solicitationsProjection } from './solicitations.projection.js';
import { listOpenSolicitations } from './solicitations.queries.js';

const sessionId = id('session');
const inSession = (event: SessionEvent): PlacedEvent => ({ category: 'session', id: sessionId, event });
const asked = (solicitationId: string) => ({
  solicitationId,
  roundId: 'r1',
  specialistId: 'alice',
  specialistVersion: 1,
});
const solicited = (name: string) =>
  inSession({ type: 'ProposalSolicited', data: { ...asked(name), given: {} } });
const failure = { kind: 'timeout', message: 'no reply' } as const;
const choice = { transitionName: 'approve', toState: 'constructor', reasoning: '' };
const proposal = (name: string) => ({ ...asked(name), ...choice, proposalId: id(name), isHuman: false });
const ended = (name: string, event: SolicitationEvent): PlacedEvent => ({
  category: 'solicitation',
  id: name,
  event,
  correlationId: sessionId,
});

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('lists the solicitations that no event has closed, oldest first, with what is known of them', async () => {
  const events = [
    solicited('a'),
    solicited('b'),
    solicited('c'),
    solicited('d'),
    solicited('e'),
    inSession({ type: 'ProposalSubmitted', data: proposal('a') }),
    ended('b', { type: 'SolicitationFailed', data: { failure } }),
    ended('c', { type: 'SolicitationSucceeded', data: { ...choice, rung: 'tools' } }),
    inSession({ type: 'ProposalFailed', data: { ...asked('c'), failure } }),
    inSession({ type: 'ProposalSetAside', data: { ...proposal('d'), reason: 'late' } }),
  ];
  const { db } = await parts.project(events, [solicitationsProjection]);
  const open = { sessionId, roundId: 'r1', specialistId: 'alice' };
  expect(await listOpenSolicitations(db)).toEqual({
    items: [
      { ...open, solicitationId: 'b', status: 'ended', solicitedAt: timeOf(1) },
      { ...open, solicitationId: 'e', status: 'open', solicitedAt: timeOf(4) },
    ],
    nextCursor: null,
  });
});

it('leaves a closed solicitation closed, whatever its stream says later', async () => {
  const events = [
    solicited('a'),
    inSession({ type: 'ProposalFailed', data: { ...asked('a'), failure } }),
    ended('a', { type: 'SolicitationFailed', data: { failure } }),
  ];
  const { db } = await parts.project(events, [solicitationsProjection]);
  expect(await listOpenSolicitations(db)).toEqual({ items: [], nextCursor: null });
});
