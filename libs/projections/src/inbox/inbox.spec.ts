import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { proposalsProjection } from '../proposals/proposals.projection.js';
import { sessionsProjection } from '../sessions/sessions.projection.js';
import { id, type PlacedEvent, sampleMachine, sessionCreated, timeOf } from '../testing/sample-log.js';
import {
  executed,
  humanInputRequested,
  inSession,
  proposalOf,
  submitted,
} from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { listInbox } from './inbox.queries.js';

const created = (name: string, machineName = 'review') => {
  const event = sessionCreated(id(name), { ...sampleMachine, machineName });
  return inSession(id(name), { ...event, data: { ...event.data, metaJson: { ticket: name } } });
};
const waits = (name: string, ...over: Parameters<typeof humanInputRequested>) =>
  inSession(id(name), humanInputRequested(...over));

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const project = (...events: PlacedEvent[]) =>
  parts.project(events, [sessionsProjection, proposalsProjection]);

async function waiting(...events: PlacedEvent[]): Promise<readonly string[]> {
  const { db } = await project(...events);
  const page = await listInbox(db);
  return 'items' in page ? page.items.map(({ sessionId }) => sessionId) : [page.message];
}

it('shows what a person needs to know to decide', async () => {
  const proposal = proposalOf('a', 'approve');
  const { db } = await project(
    created('one'),
    inSession(id('one'), submitted('a', 'approve')),
    waits('one', { reason: 'no-consensus', detail: 'margin 0.10\0' }),
  );
  expect(await listInbox(db)).toEqual({
    items: [
      {
        sessionId: id('one'),
        machineName: 'review',
        roundId: 'r1',
        currentState: 'draft',
        prompt: 'Is it ready?',
        transitions: sampleMachine.states['draft']?.transitions,
        metaJson: { ticket: 'one' },
        reason: 'no-consensus',
        detail: 'margin 0.10\0',
        since: timeOf(2),
        proposals: [{ ...proposal, sessionId: id('one'), status: 'open', createdAt: timeOf(1) }],
      },
    ],
    nextCursor: null,
  });
});

it('lets a session go once something new is proposed or it is decided', async () => {
  const [one, two, three] = [id('one'), id('two'), id('three')];
  const all = [created('one'), waits('one'), created('two'), waits('two'), created('three'), waits('three')];
  const ended = [inSession(one, submitted('b', 'approve')), inSession(two, executed())];
  expect(await waiting(...all, ...ended)).toEqual([three]);
});

it('puts a session that waits again behind those that waited since', async () => {
  const again = [inSession(id('one'), submitted('a', 'approve')), waits('one')];
  expect(await waiting(created('one'), created('two'), waits('one'), waits('two'), ...again)).toEqual([
    id('two'),
    id('one'),
  ]);
});

it('lists those of a machine, the longest waiting first, page by page', async () => {
  const { db } = await project(
    created('one'),
    created('two', 'other'),
    created('three'),
    waits('three'),
    waits('two'),
    waits('one'),
  );
  const first = await listInbox(db, { machineName: 'review' }, { limit: 1 });
  expect(first).toMatchObject({ items: [{ sessionId: id('three') }] });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listInbox(db, { machineName: 'review' }, { cursor })).toMatchObject({
    items: [{ sessionId: id('one') }],
    nextCursor: null,
  });
});
