import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { JsonObject } from '#lib/kernel';
import { temporaryFolder } from '#lib/kernel/testing';
import { startEngine } from '../support/engine.js';
import { callFunction, defineWorkflow } from '../../libs/engine/public/workflow.js';

const machine = {
  machineName: 'door',
  initialState: 'closed',
  goalState: 'open',
  states: { closed: { transitions: { push: 'open' } }, open: {} },
};
const nested = (levels: number) =>
  JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonObject;

it('code that gives what is nested too deep is refused as HTTP is: the log could not be read', async () => {
  const engine = await startEngine([]);
  try {
    const { redial } = engine;
    await redial.defineMachine(machine);
    const create = (levels: number) =>
      redial.createSession({ machineName: 'door', metaJson: nested(levels) });
    for (const levels of [111, 5_000])
      await expect(create(levels)).rejects.toThrow('must not be nested more than 110 levels deep');
    const { sessionId } = await create(110);
    expect((await redial.listSessions({})).items).toMatchObject([{ sessionId }]);
    for await (const { identical } of redial.replayAll()) expect(identical).toBe(true);
  } finally {
    await engine.stop();
  }
});

it('code that gives a number which JSON does not have is refused: it was recorded as null, a budget without end as spent', async () => {
  const engine = await startEngine([]);
  try {
    const { redial } = engine;
    const start = (maxUSD: number) =>
      redial.startRun({
        workflow: 'planner',
        input: { systemPrompt: '', userPrompt: '', model: 'gpt-4o-mini', tools: [], budget: { maxUSD } },
      });
    await expect(start(Infinity)).rejects.toMatchObject({
      rejection: { code: 'malformed-input', problems: [{ path: '/input/budget/maxUSD' }] },
    });
    await redial.defineMachine(machine);
    const create = redial.createSession({ machineName: 'door', metaJson: { of: [1, NaN] } });
    await expect(create).rejects.toMatchObject({ rejection: { problems: [{ path: '/metaJson/of/1' }] } });
    expect((await redial.listRuns({})).items).toEqual([]);
  } finally {
    await engine.stop();
  }
});

const deep = defineWorkflow('deep', {
  input: { type: 'object' },
  uses: { functions: ['nested'] },
  versions: {
    1: function* ({ input }: { input: { readonly of: 'function' | 'script'; readonly levels: number } }) {
      return input.of === 'script' ? nested(input.levels) : yield* callFunction('nested', input);
    },
  },
});

it('nothing is written that the next start would take for damaged: what functions and workflows give has a bound', async () => {
  const options = {
    dataDir: temporaryFolder(),
    workflows: [deep],
    functions: { nested: ({ levels }: { levels: number }) => nested(levels) },
  };
  const engine = await startEngine([], options);
  const { redial } = engine;
  const run = (of: string, levels: number) =>
    redial.startRun({ workflow: 'deep', input: { of, levels }, waitMs: 5_000 });
  expect(await run('function', 900)).toMatchObject({ status: 'completed' });
  expect(await run('script', 900)).toMatchObject({ status: 'completed' });
  expect(await run('function', 1_100)).toMatchObject({
    status: 'failed',
    failure: { kind: 'function', message: expect.stringContaining('900 levels') },
  });
  const { runId } = await redial.startRun({ workflow: 'deep', input: { of: 'script', levels: 1_100 } });
  let aside: readonly object[] = [];
  for (; aside.length === 0; await setImmediate()) aside = (await redial.listRecovery({})).items;
  const failure = expect.stringContaining('its data is nested more than 950 levels deep');
  expect(aside).toMatchObject([{ stream: `redial_deep-${runId}`, failure }]);
  await engine.stop();

  const store = await SqliteEventStore.open(join(options.dataDir, 'log.sqlite'));
  expect(await store.checkIntegrity()).toEqual([]);
  await store.close();
});
