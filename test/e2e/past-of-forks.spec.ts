import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { text } from '#lib/activities/testing';
import { startEngine, type TestEngine } from '../support/engine.js';
import { Snapshots } from './as-it-was.js';

const machine = {
  machineName: 'turns',
  initialState: 'left',
  goalState: 'over',
  states: {
    left: { prompt: 'Turn?', transitions: { turn: 'right', stop: 'over' } },
    right: { prompt: 'Turn?', transitions: { turn: 'left', stop: 'over' } },
    over: {},
  },
  specialists: [
    { role: 'proposer', specialistId: 'model', modelId: 'gpt-4o-mini[tools=no]', contextTemplate: 'Turn?' },
    { role: 'arbiter', specialistId: 'judge', strategyFnName: 'firstProposal' },
  ],
};

let engine: TestEngine;
let sessionId: string;
let forkId: string;
let snapshots: Snapshots;

beforeAll(async () => {
  const targets = ['right', 'left'];
  engine = await startEngine(() =>
    text({ transitionName: 'turn', toState: targets.shift() ?? '', reasoning: 'Again.' }),
  );
  const { redial } = engine;
  await redial.defineMachine(machine);
  ({ sessionId } = await redial.createSession({ machineName: 'turns' }));
  await redial.submitProposal({ sessionId, specialistId: 'model' });
  await redial.submitArbitration({ sessionId });
  const { revision } = await redial.getSession({ sessionId });
  snapshots = new Snapshots(engine);
  ({ sessionId: forkId } = await redial.forkSession({ sessionId, atRevision: revision }));
  await snapshots.take({ sessionId: forkId });
  await redial.submitProposal({ sessionId: forkId, specialistId: 'model' });
  await snapshots.take({ sessionId: forkId });
  await redial.submitArbitration({ sessionId: forkId });
  await snapshots.take({ sessionId: forkId });
});
afterAll(() => engine.stop());

it('a fork as it was is the fork as it was seen then, with the events and calls of its own runs alone', async () => {
  expect(snapshots.count).toBe(3);
  await snapshots.check();
  const last = { sessionId: forkId, limit: 500 };
  const { revision } = await engine.redial.getSession({ sessionId: forkId });
  const { items } = await engine.redial.listSessionEvents({ ...last, at: String(revision) });
  expect(items).toEqual((await engine.redial.listSessionEvents(last)).items);
  const calls = await engine.redial.listLlmCallsOfSession({ ...last, at: String(revision) });
  expect(calls.items).toHaveLength(1);
});

it('the causes of a decision that was copied are those that it has where it happened, each once', async () => {
  const { redial } = engine;
  const { revision } = (await redial.listSessionEvents({ sessionId, limit: 500 })).items
    .filter(({ type }) => type === 'TransitionExecuted')
    .at(-1) ?? { revision: -1 };
  const causesIn = async (id: string) =>
    (await redial.whySession({ sessionId: id, revision })).nodes.map(({ type, revision: at, stream }) => [
      type,
      at,
      stream.replace(id, 'of the session'),
    ]);
  const causes = await causesIn(forkId);
  expect(causes).toEqual(await causesIn(sessionId));
  expect(causes.map(([type]) => type)).toContain('WorkflowStarted');
});
