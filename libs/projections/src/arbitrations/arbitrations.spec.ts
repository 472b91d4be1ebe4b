import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { SessionEvent } from '#lib/session';
import { id, type PlacedEvent, timeOf } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { arbitrationsProjection } from './arbitrations.projection.js';
import { listOpenArbitrations } from './arbitrations.queries.js';

const sessionId = id('session');
const inSession = (event: SessionEvent): PlacedEvent => ({ category: 'session', id: sessionId, event });
const asked = (arbitrationId: string) => ({ arbitrationId, roundId: 'r1' });
const basis = {
  arbiter: { specialistId: 'judge', specialistVersion: 1, strategyFnName: 'majority' },
  proposals: [],
  alignment: { rule: 'wilson', ruleVersion: 1, scores: [] },
};
const requested = (name: string) =>
  inSession({ type: 'ArbitrationRequested', data: { ...asked(name), ...basis, given: {} } });
const verdict = { consensusReached: true, winningProposalId: 'p', reasoning: '' };
const reasoning = '';

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('lists the arbitrations that no event has closed, oldest first, in pages', async () => {
  const events = [
    requested('a'),
    requested('b'),
    requested('c'),
    requested('d'),
    requested('e'),
    requested('f'),
    inSession({ type: 'ConsensusNotReached', data: { ...asked('a'), ...basis, reasoning } }),
    inSession({ type: 'VerdictSetAside', data: { ...asked('c'), verdict, reason: 'late' } }),
    inSession({
      type: 'ArbitrationFailed',
      data: { ...asked('d'), failure: { kind: 'timeout', message: 'no reply' } },
    }),
    inSession({
      type: 'ConsensusReached',
      data: { ...asked('e'), ...basis, reasoning, winningProposalId: 'p' },
    }),
  ];
  const { db } = await parts.project(events, [arbitrationsProjection]);
  const open = { sessionId, roundId: 'r1', arbiterId: 'judge' };
  const [b, f] = [
    { ...open, arbitrationId: 'b', requestedAt: timeOf(1) },
    { ...open, arbitrationId: 'f', requestedAt: timeOf(5) },
  ];
  expect(await listOpenArbitrations(db)).toEqual({ items: [b, f], nextCursor: null });
  const first = await listOpenArbitrations(db, { limit: 1 });
  expect(first).toMatchObject({ items: [b] });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listOpenArbitrations(db, { cursor })).toEqual({ items: [f], nextCursor: null });
});

it('knows nothing of what an arbiter judged that the session itself asked', async () => {
  const judged = inSession({ type: 'ConsensusNotReached', data: { ...asked('a'), ...basis, reasoning } });
  const { db } = await parts.project([judged], [arbitrationsProjection]);
  expect(await listOpenArbitrations(db)).toEqual({ items: [], nextCursor: null });
});
