import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type SessionEvent, sessionViewAt } from '#lib/decisions/session';
import { id, type PlacedEvent, sampleMachine, sessionCreated } from '../testing/sample-log.js';
import { consensus, humanInputRequested, inSession, submitted } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { sessionsModel } from './sessions.read-model.js';
import { sessionMachinesTable } from './sessions.tables.js';
import {
  getSession,
  listSessions,
  type SessionFilter,
  sessionIdsStartingWith,
  sessionOfMachine,
} from './sessions.queries.js';

const created = (name: string, machineName = 'review'): PlacedEvent => ({
  category: 'session',
  id: id(name),
  event: sessionCreated(id(name), { ...sampleMachine, machineName }),
});
const moved = (name: string, toState: string): PlacedEvent => ({
  category: 'session',
  id: id(name),
  event: {
    type: 'TransitionExecuted',
    data: {
      roundId: 'r1',
      nextRoundId: 'r2',
      transitionName: 'go',
      fromState: 'draft',
      toState,
      reasoning: '',
      isHuman: false,
      decidedBy: 'operator',
    },
  },
});
const events = [
  created('a'),
  created('b'),
  created('c', 'other'),
  moved('a', 'done'),
  moved('b', 'odd \ud800\0 name'),
  moved('c', 'stuck'),
];

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

it('finds the sessions whose ids begin so, newest first', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  const ids = ['c', 'b', 'a'].map((name) => id(name));
  const starts = ids.flatMap((one) => Array.from(`${one}0`, (_, length) => one.slice(0, length)));
  for (const start of ['', ...starts, '-', `${ids[0]}0`, (ids[0] ?? '').replaceAll('-', '')])
    expect(await sessionIdsStartingWith(db, start, 9)).toEqual(ids.filter((one) => one.startsWith(start)));
});

it('finds one of some sessions that is of a machine, however many they are', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  const others = Array.from({ length: 2_500 }, (_, n) => id(`other ${n}`));
  const of = (machineName: string, ...ids: readonly string[]) => sessionOfMachine(db, machineName, ids);
  expect(await of('other', ...others, id('a'), id('c'))).toBe(id('c'));
  expect(await of('other', ...others, id('a'), id('b'))).toBeUndefined();
  expect(await of('other')).toBeUndefined();
});

const everyFilter: readonly [SessionFilter, readonly string[]][] = [
  [{}, ['c', 'b', 'a']],
  [{ machineName: 'review' }, ['b', 'a']],
  [{ status: 'done' }, ['c', 'a']],
  [{ status: 'open' }, ['b']],
  [{ status: 'needs_human' }, []],
  [{ currentState: 'odd \ud800\0 name' }, ['b']],
  [{ currentState: 'stuck', machineName: 'other', status: 'done' }, ['c']],
  [{ idPrefix: id('b').slice(0, 9) }, ['b']],
  [{ idPrefix: id('b'), machineName: 'review', status: 'open' }, ['b']],
  [{ idPrefix: id('b'), status: 'done' }, []],
  [{ idPrefix: '-' }, []],
];

it.each(everyFilter)(
  'lists the sessions that fit %j, newest first, without machines',
  async (filter, names) => {
    const { db } = await parts.project(events, [sessionsModel]);
    const page = await listSessions(db, filter);
    if (!('items' in page)) throw new Error(page.message);
    expect(page.items.map(({ sessionId }) => sessionId)).toEqual(names.map(id));
    for (const session of page.items) expect(session).not.toHaveProperty('machine');
    for (const session of page.items) expect(session.history).toHaveLength(1);
  },
);

it('leaves histories empty if they are not asked for, of a list and of one session', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  const page = await listSessions(db, {}, {}, [], 'none');
  const [one] = 'items' in page ? page.items : [];
  const whole = await getSession(db, one?.sessionId ?? '');
  expect(whole?.history).toHaveLength(1);
  expect(await getSession(db, one?.sessionId ?? '', 'none')).toEqual({ ...whole, history: [] });
  const { machine: _, ...summary } = { ...whole };
  expect(one).toEqual({ ...summary, history: [] });
});

it('continues after a cursor', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  const first = await listSessions(db, {}, { limit: 2 });
  const cursor = ('items' in first && first.nextCursor) || '';
  expect(await listSessions(db, {}, { cursor })).toMatchObject({ items: [{ sessionId: id('a') }] });
});

it('takes a session to be at rest in a state that its machine does not have', async () => {
  const { db } = await parts.project([created('a'), moved('a', 'toString')], [sessionsModel]);
  const history = await parts.log.readStream<SessionEvent>(parts.log.streams.of('session', id('a')));
  expect(await getSession(db, id('a'))).toMatchObject({ currentState: 'toString', status: 'done' });
  expect(await getSession(db, id('a'))).toEqual(sessionViewAt(history));
});

it('knows no session that was never created', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  expect(await getSession(db, id('d'))).toBeUndefined();
});

it('keeps a machine once, however many sessions run it', async () => {
  const { db } = await parts.project(events, [sessionsModel]);
  expect(await db.selectFrom(sessionMachinesTable.name).selectAll().execute()).toHaveLength(2);
});

describe('a session that waits for a person', () => {
  const at = (event: SessionEvent): PlacedEvent => inSession(id('a'), event);
  it.each<[string, PlacedEvent[], string]>([
    ['waits', [], 'needs_human'],
    ['is open again with a new proposal', [at(submitted('b', 'approve'))], 'open'],
    ['goes on waiting whatever an arbiter says', [at(consensus())], 'needs_human'],
    ['is open in the state that a decision leads to', [moved('a', 'constructor')], 'open'],
    ['is at rest where a decision leads nowhere', [moved('a', 'stuck')], 'done'],
  ])('%s', async (_, later, status) => {
    const asked = [created('a'), at(humanInputRequested()), ...later];
    const { db } = await parts.project(asked, [sessionsModel]);
    const history = await parts.log.readStream<SessionEvent>(parts.log.streams.of('session', id('a')));
    expect(await getSession(db, id('a'))).toMatchObject({ status });
    expect(await getSession(db, id('a'))).toEqual(sessionViewAt(history));
  });
});
