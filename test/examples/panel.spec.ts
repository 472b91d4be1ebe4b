import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestEngine, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { moderate, panel, unanimous } from '../../examples/panel.js';

let engine: TestEngine;
afterEach(() => engine.close());

const says = (transitionName: string) => ({
  json: { transitionName, toState: 'closed', reasoning: '' },
});

it('two models of three decide, and three that differ leave the comment to the moderator', async () => {
  const model = scriptedModel(['hide', 'keep', 'hide', 'keep', 'hide', 'warn'].map(says));
  engine = await createTestEngine({ model });
  await engine.redial.defineMachine(panel);
  expect(await moderate(engine.redial, 'You fool')).toBe('hide');
  expect(await moderate(engine.redial, 'Hm')).toBeUndefined();
  expect((await engine.redial.listTasks({})).items).toMatchObject([
    { kind: 'decision', proposals: [{}, {}, {}] },
  ]);
  model.assertDone();
});

describe('two proposers that disagree', () => {
  const proposers = (['firstAvailable', 'lastAvailable'] as const).map((strategyFnName) => ({
    role: 'proposer' as const,
    specialistId: strategyFnName,
    strategyFnName,
  }));
  const states = { reported: { transitions: { keep: 'closed', hide: 'closed' } }, closed: {} };
  const machine = { machineName: 'panel', initialState: 'reported', goalState: 'closed', states };

  it('leave it to a person where an arbiter wants all to agree', async () => {
    engine = await createTestEngine();
    const arbiter = { role: 'arbiter' as const, specialistId: 'all', strategyFnName: unanimous };
    await engine.redial.defineMachine({ ...machine, specialists: [...proposers, arbiter] });
    expect(await moderate(engine.redial, 'Hm')).toBeUndefined();
    const same = { ...proposers[0]!, specialistId: 'same' };
    await engine.redial.defineMachine({ ...machine, specialists: [proposers[0]!, same, arbiter] });
    expect(await moderate(engine.redial, 'Hm')).toBe('keep');
  });

  it('are decided by the earliest proposal without an arbiter', async () => {
    engine = await createTestEngine();
    await engine.redial.defineMachine({ ...machine, specialists: proposers });
    expect(await moderate(engine.redial, 'Hm')).toBe('keep');
  });
});
