// Code as action as a plain function: no log, no engine, your own model and tools.
import { type CodeTool, executeCode } from 'redial-engine/code';
import type { LlmClient } from 'redial-engine/planner';

// #region execute
const paid = { name: 'paid', description: 'What was paid in all', schema: { type: 'number' } };
const findOrder: CodeTool = {
  name: 'find_order',
  description: 'An order by its number',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
  handler: ({ order }) => ({ order, total: Number(order) * 10 }),
};

/** A model writes code that adds up orders. */
export async function paidFor(orders: readonly number[], llm: LlmClient): Promise<number> {
  const instructions = `What was paid for the orders ${orders.join(', ')}?`;
  const result = await executeCode({
    llm,
    model: 'gpt-4o-mini',
    instructions,
    tools: [findOrder],
    exits: [paid],
  });
  if (result.is(paid)) return Number(result.output);
  throw new Error(`No exit after ${result.iterations.length} programs: ${result.failure?.message}`);
}
// #endregion
