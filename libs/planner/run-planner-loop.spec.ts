import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import type { LlmClient } from '#lib/workflow';
import { buildSystemPrompt } from './build-system-prompt.js';
import { type LoopCall, type LoopTool, runPlannerLoop, toolsToFunctionSchemas } from './run-planner-loop.js';

const find: LoopTool = {
  toolId: 'find',
  description: 'Finds',
  parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
};

/** Answers in turn, and throws at any further call. */
function scripted(...turns: readonly (JsonObject | Error)[]): LlmClient & { readonly bodies: JsonObject[] } {
  const bodies: JsonObject[] = [];
  return {
    bodies,
    complete: (body) => {
      const turn = turns[bodies.push(body) - 1] ?? new Error('The script is over.');
      return turn instanceof Error ? Promise.reject(turn) : Promise.resolve(turn);
    },
  };
}

const said = (content: string) => ({
  choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
const asked = (...orders: readonly number[]) => ({
  choices: [
    {
      message: {
        role: 'assistant',
        content: null,
        tool_calls: orders.map((order) => ({
          id: `c${order}`,
          type: 'function',
          function: { name: 'find', arguments: `{"order":${order}}` },
        })),
      },
      finish_reason: 'tool_calls',
    },
  ],
});
const input = { systemPrompt: 'You help.', userPrompt: 'Help.', model: 'm', tools: [find] };

it('P-2: tools are mapped once, as they are, to what a request offers', async () => {
  const llm = scripted(said('Done.'));
  await runPlannerLoop({ llm, input, onToolCall: () => Promise.reject(new Error()) });
  const { toolId: name, description, parameters } = find;
  expect(toolsToFunctionSchemas([find])).toEqual([
    { type: 'function', function: { name, description, parameters } },
  ]);
  expect(llm.bodies[0]?.['tools']).toEqual(toolsToFunctionSchemas([find]));
});

it('P-2, 0.2-F7: a system prompt is built of its parts, without those that are empty', () => {
  const context = { Customer: 'Ann, since 2019.', Notes: '' };
  const rules = ['Ask before you refund.', 'Answer in one sentence.'];
  expect(buildSystemPrompt({ role: 'You help.', objective: 'Answer order 7.', context, rules })).toBe(
    'You help.\n\n## Objective\nAnswer order 7.\n\n## Customer\nAnn, since 2019.\n\n' +
      '## Rules\n- Ask before you refund.\n- Answer in one sentence.',
  );
  expect(buildSystemPrompt({ role: 'You help.', rules: [] })).toBe('You help.');
});

describe('runPlannerLoop (P-1)', () => {
  it('P-10: stops at once without tool calls', async () => {
    const result = await runPlannerLoop({
      llm: scripted(said('Done.')),
      input,
      onToolCall: () => Promise.reject(new Error()),
    });
    expect(result).toMatchObject({
      rounds: 1,
      summary: 'Done.',
      stopReason: 'assistant-stop',
      executedCalls: [],
    });
  });

  it('P-1, P-9, P-10: feeds results and failures back, in the order of the model', async () => {
    const llm = scripted(asked(1, 2), said('Done.'));
    const seen: unknown[] = [];
    const result = await runPlannerLoop({
      llm,
      input,
      onToolCall: ({ toolId, arguments: given }) => {
        seen.push([toolId, given]);
        return given['order'] === 1
          ? Promise.resolve({ success: true, message: 'ok', data: 7 })
          : Promise.reject(new Error('no order 2'));
      },
    });
    expect(seen).toEqual([
      ['find', { order: 1 }],
      ['find', { order: 2 }],
    ]);
    expect((llm.bodies[1] as { messages: unknown[] }).messages.slice(3)).toEqual([
      { role: 'tool', tool_call_id: 'c1', content: '{"success":true,"message":"ok","data":7}' },
      { role: 'tool', tool_call_id: 'c2', content: '{"success":false,"message":"no order 2"}' },
    ]);
    expect(result).toMatchObject({
      rounds: 2,
      stopReason: 'assistant-stop',
      executedCalls: [{ round: 1 }, { round: 1 }],
    });
  });

  it('P-10: the ceiling of rounds fires, and the tools of the last round have run', async () => {
    let calls = 0;
    const onToolCall = () => Promise.resolve({ success: true as const, message: 'ok', data: (calls += 1) });
    const result = await runPlannerLoop({
      llm: scripted(asked(1), asked(2)),
      input: { ...input, maxRounds: 2 },
      onToolCall,
    });
    expect([calls, result['stopReason'], result['summary']]).toEqual([2, 'max-rounds', null]);
  });

  it.each<readonly [limits: object, message: string]>([
    [{ budget: { maxUSD: 1 } }, 'No model has a price without an engine'],
    [{ budget: { maxTokens: Number.NaN } }, '`maxTokens` is no limit'],
    [{ maxRounds: Number.NaN }, '`maxRounds` is no limit'],
    [{ concurrency: Number.NaN }, '`concurrency` is no limit'],
    [{ concurrency: 0 }, '`concurrency` is no limit'],
  ])('asks no model with a limit that would have no effect: %j', async (limits, message) => {
    const llm = scripted();
    const running = runPlannerLoop({
      llm,
      input: { ...input, ...limits },
      onToolCall: () => Promise.reject(),
    });
    await expect(running).rejects.toThrow(message);
    expect(llm.bodies).toEqual([]);
  });

  it('P-5: an error of the client is llm-error, with the transcript', async () => {
    const onToolCall = () => Promise.resolve({ success: true as const, message: 'ok' });
    const result = await runPlannerLoop({ llm: scripted(asked(1), new Error('down')), input, onToolCall });
    expect(result).toMatchObject({
      stopReason: 'llm-error',
      rounds: 2,
      messages: [{}, {}, { role: 'assistant' }, { role: 'tool' }],
    });
  });

  it('0.2-V9: an error of the client is told with its message', async () => {
    const onToolCall = () => Promise.reject(new Error());
    const result = await runPlannerLoop({ llm: scripted(new Error('down')), input, onToolCall });
    expect(result['failure']).toEqual({ kind: 'llm-error', message: 'down' });
  });

  it('0.2-V9: takes answers that are no completions, and shows calls as they are in those', async () => {
    const call = { id: 'c1', name: 'find', arguments: { order: 1 } };
    const llm = scripted(
      { content: null, toolCalls: [call], finishReason: 'tool_calls' },
      { content: 'Done.', finishReason: 'stop' },
    );
    const onToolCall = () => Promise.resolve({ success: true as const, message: 'ok' });
    const result = await runPlannerLoop({ llm, input: { ...input, temperature: 0.3 }, onToolCall });
    expect(result).toMatchObject({ stopReason: 'assistant-stop', summary: 'Done.' });
    expect(result['messages']).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Help.' },
      { role: 'assistant', content: null, toolCalls: [call] },
      { role: 'tool', toolCallId: 'c1', content: '{"success":true,"message":"ok"}' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(llm.bodies[0]).toMatchObject({ temperature: 0.3 });
  });

  it('0.2-V9, P-6: leaves tools that were not offered to the callback', async () => {
    const llm = scripted(
      { content: null, toolCalls: [{ id: 'c1', name: 'unknown', arguments: { a: 1 } }] },
      said('Done.'),
    );
    const seen: unknown[] = [];
    const onToolCall = ({ toolId, arguments: given }: LoopCall) => {
      seen.push([toolId, given]);
      return Promise.resolve({ success: false as const, message: 'there is no such tool' });
    };
    const { executedCalls } = await runPlannerLoop({ llm, input, onToolCall });
    expect(seen).toEqual([['unknown', { a: 1 }]]);
    expect(executedCalls).toMatchObject([{ toolId: 'unknown', result: { success: false } }]);
  });
});
