import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { id, type PlacedEvent, sampleMachine, sessionCreated, timeOf } from '../testing/sample-log.js';
import {
  executed,
  humanInputRequested,
  inSession,
  proposalOf,
  submitted,
} from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import type { Rows } from '../store/rows.js';
import { storedUuid } from '../store/stored-values.js';
import { type InboxFilter, inboxItems, inboxRows } from './inbox.queries.js';

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

const project = (...events: PlacedEvent[]) => parts.project(events, [sessionsModel]);

async function inbox(db: Rows<'sessions'>, filter: InboxFilter = {}) {
  return inboxItems(db, await inboxRows(db, filter, undefined, 50));
}

async function waiting(...events: PlacedEvent[]): Promise<readonly string[]> {
  const { db } = await project(...events);
  return (await inbox(db)).map(({ sessionId }) => sessionId);
}

it('shows what a person needs to know to decide', async () => {
  const proposal = proposalOf('a', 'approve');
  const { db } = await project(
    created('one'),
    inSession(id('one'), submitted('a', 'approve')),
    waits('one', { reason: 'no-consensus', detail: 'margin 0.10\0' }),
  );
  expect(await inbox(db)).toEqual([
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
  ]);
});

it('lets a session go once its wait has expired; a clock that fails ends no wait', async () => {
  const all = ['one', 'two'].flatMap((name) => [
    created(name),
    waits(name, { clockId: id(`clock ${name}`) }),
  ]);
  const clockEnded = (name: string, data: object) =>
    inSession(id(name), {
      type: 'ClockEnded',
      data: { roundId: 'r1', clockId: id(`clock ${name}`), ...data },
    });
  const failure = { kind: 'given-up', message: 'lost' };
  expect(await waiting(...all, clockEnded('one', {}), clockEnded('two', { failure }))).toEqual([id('two')]);
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

it('lists those of a machine, the longest waiting first, after a position', async () => {
  const { db } = await project(
    created('one'),
    created('two', 'other'),
    created('three'),
    waits('three'),
    waits('two'),
    waits('one'),
  );
  const filter = { machineName: 'review' };
  const [first, ...others] = await inboxRows(db, filter, undefined, 1);
  expect([first?.session_id, others]).toEqual([storedUuid(id('three')), []]);
  const rest = await inboxRows(db, filter, first?.position, 50);
  expect(rest.map(({ session_id }) => session_id)).toEqual([storedUuid(id('one'))]);
});
