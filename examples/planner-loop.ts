// The planner loop as a plain function: no log, no engine, your own model and tools.
import { runPlannerLoop, type LlmClient } from 'redial-engine/planner';

// #region loop
/** A model looks up an order before it answers. */
export function answerAbout(order: number, llm: LlmClient) {
  const parameters = { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] };
  return runPlannerLoop({
    llm,
    input: {
      systemPrompt: 'You answer for a small shop.',
      userPrompt: `Where is order ${order}?`,
      model: 'gpt-4o-mini',
      tools: [{ toolId: 'find_order', description: 'An order by its number', parameters }],
      maxRounds: 3,
    },
    onToolCall: async ({ arguments: { order: number } }) => {
      return { success: true, message: 'ok', data: { order: number ?? null, sentOn: '2026-03-02' } };
    },
  });
}
// #endregion
