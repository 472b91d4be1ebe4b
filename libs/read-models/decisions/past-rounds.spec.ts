import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sessionsModel } from '../sessions/sessions.read-model.js';
import { exemplarsModel } from '../exemplars/exemplars.read-model.js';
import { id, sampleMachine, sessionCreated } from '../testing/sample-log.js';
import { consensus, executed, inSession, override } from '../testing/session-events.js';
import { TestParts } from '../testing/test-parts.js';
import { pastRounds } from './past-rounds.js';

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
const overridden = { sessionId: id('one'), roundId: 'r1', state: 'draft', ...approved };
const agreed = {
  sessionId: id('one'),
  roundId: 'r2',
  state: 'odd \ud800\0 name',
  ...approved,
  toState: 'done',
};

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const project = () => parts.project(events, [sessionsModel, exemplarsModel]);

it('gives what people decided on a machine', async () => {
  const { db } = await project();
  const question = { machineName: 'review', against: 'exemplars', limit: 10 } as const;
  expect(await pastRounds(db, question)).toEqual([overridden]);
});

it('gives what people and arbiters decided, the last first, and nothing that an operator or a timer executed', async () => {
  const { db } = await project();
  const question = { machineName: 'review', against: 'decisions', limit: 10 } as const;
  expect(await pastRounds(db, question)).toEqual([agreed, overridden]);
  expect(await pastRounds(db, { ...question, limit: 1 })).toEqual([agreed]);
  expect(await pastRounds(db, { ...question, machineName: 'constructor' })).toEqual([]);
});
