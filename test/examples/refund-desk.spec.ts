import { afterEach, expect, it } from '@jest/globals';
import { createTestEngine, expectIdentical, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { accept, receive, refundDesk } from '../../examples/refund-desk.js';

let engine: TestEngine;
afterEach(() => engine.close());

const pays = (amount: number) => ({ toolCall: { name: 'pay', arguments: { amount } } });
const letter = (key: string) => ({ key, customer: 'Ann', text: 'The cup is broken' });

// #region test
it('the lead decides twice, then the clerk alone, and large refunds stay with the lead', async () => {
  const model = scriptedModel([pays(20), pays(20), pays(20), pays(500)]);
  engine = await createTestEngine({ model });
  const { redial } = engine;
  await redial.defineMachine(refundDesk);

  const first = await receive(redial, letter('mail-1'));
  expect(first.status).toBe('needs_human');
  expect(await receive(redial, letter('mail-1'))).toEqual(first);
  await accept(redial, first.sessionId);
  const second = await receive(redial, letter('mail-2'));
  await accept(redial, second.sessionId, 15);

  const third = await receive(redial, letter('mail-3'));
  expect(third.status).toBe('done');
  const large = await receive(redial, letter('mail-4'));
  expect(large.status).toBe('needs_human');
  expect((await redial.listTasks({})).items).toMatchObject([
    { reason: 'needs-person', about: { key: 'mail-4' } },
  ]);

  const paid: unknown[] = [];
  for (const { sessionId } of [first, second, third, large]) {
    paid.push(...(await redial.getSession({ sessionId })).history.map(({ metaJson }) => metaJson));
    expectIdentical(await redial.replaySession({ sessionId }));
  }
  expect(paid).toEqual([{ amount: 20 }, { amount: 15 }, { amount: 20 }]);
  model.assertDone();
});
// #endregion
