import { afterEach, expect, it } from '@jest/globals';
import { createTestEngine, expectIdentical, scriptedModel, type TestEngine } from 'redial-engine/testing';
import { functions, run, tools } from '../../examples/refund-analyst.js';

let engine: TestEngine;
afterEach(() => engine.close());

const program = `\`\`\`tsx
const rows = await Promise.all((await list_orders()).map(async (row) => {
  const [refunds, isBack] = await Promise.all([find_refunds({ order: row.order }), was_returned({ order: row.order })]);
  const paid = refunds.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  return { order: row.order, customer: row.customer, excess: isBack ? paid - row.total : paid };
}));
return { action: 'report', value: rows.filter(({ excess }) => excess > 0) };
\`\`\``;

it('one program of the model joins what three tools know', async () => {
  engine = await createTestEngine({ model: scriptedModel([program]), functions });
  const { redial, idle } = engine;
  for (const tool of tools) await redial.registerTool(tool);
  const { runId } = await redial.startRun(run);
  await idle();
  const value = [
    { order: 1, customer: 'Ada', excess: 40 },
    { order: 2, customer: 'Ben', excess: 5 },
  ];
  expect(await redial.getRun({ runId })).toMatchObject({
    status: 'completed',
    result: { exit: 'report', value },
  });
  expect((await redial.listToolCalls({ runId })).items).toHaveLength(7);
  expectIdentical(await redial.replayRun({ runId }));
});
