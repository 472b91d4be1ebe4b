import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { id, sampleMachine, sessionCreated } from '../testing/sample-log.js';
import { consensus, executed, inSession, override } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { chosenRounds, type ChosenRoundsFilter } from './chosen-rounds.js';

const created = (name: string, machineName: string) =>
  inSession(id(name), sessionCreated(id(name), { ...sampleMachine, machineName }));

const events = [
  created('one', 'review'),
  created('two', 'other'),
  inSession(id('one'), override([], { roundId: 'r1', scope: { machineName: 'review' } })),
  inSession(id('one'), executed({ roundId: 'r1', isHuman: true })),
  inSession(id('one'), consensus({ roundId: 'r2' })),
  inSession(id('one'), executed({ roundId: 'r2', fromState: 'odd \ud800\0 name', toState: 'done' })),
  inSession(id('one'), executed({ roundId: 'r3' })),
  inSession(id('one'), executed({ roundId: 'r4', timedBy: id('clock') })),
  inSession(id('two'), override([], { roundId: 'r1', scope: { machineName: 'other' } })),
  inSession(id('two'), executed({ roundId: 'r1', isHuman: true })),
];
const approved = { transitionName: 'approve', toState: 'constructor' };
const overridden = { sessionId: id('one'), roundId: 'r1', revision: 0, state: 'draft', ...approved };
const agreed = { ...overridden, roundId: 'r2', revision: 2, state: 'odd \ud800\0 name', toState: 'done' };

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const chosen = async (filter: ChosenRoundsFilter, max = 10) => {
  const { db } = await parts.project(events, [sessionsModel]);
  return chosenRounds(db, filter, max);
};

it('gives what people decided on a machine', async () => {
  expect(await chosen({ machineName: 'review', decidedBy: 'people' })).toMatchObject([overridden]);
});

it('gives what people and arbiters decided, the last first, and nothing that an operator or a timer executed', async () => {
  expect(await chosen({ machineName: 'review' })).toMatchObject([agreed, overridden]);
});

it('gives so many at most, and none of another machine', async () => {
  expect(await chosen({ machineName: 'review' }, 1)).toMatchObject([agreed]);
  expect(await chosen({ machineName: 'constructor' })).toEqual([]);
});

it('gives of some sessions so many at most, too', async () => {
  const sessionIds = [id('one'), id('two')];
  expect(await chosen({ machineName: 'review', sessionIds })).toHaveLength(3);
  expect(await chosen({ machineName: 'review', sessionIds }, 1)).toHaveLength(1);
});
