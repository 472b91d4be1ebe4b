import { afterEach, expect, it } from '@jest/globals';
import { createTestEngine, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { moderate, panel } from '../../examples/panel.js';

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
