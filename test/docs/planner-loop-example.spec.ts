import { expect, it } from '@jest/globals';
import { answerAbout } from '../../examples/planner-loop.js';

const saying = (message: object, finish_reason: string) => ({
  choices: [{ message: { role: 'assistant', content: null, ...message }, finish_reason }],
});

it('examples/planner-loop.ts calls the tool and ends with the answer of the model', async () => {
  const called = { name: 'find_order', arguments: '{"order":7}' };
  const replies = [
    saying({ tool_calls: [{ id: 'c1', type: 'function', function: called }] }, 'tool_calls'),
    saying({ content: 'On its way.' }, 'stop'),
  ];
  const complete = () => Promise.resolve(replies.shift() ?? saying({}, 'length'));
  expect(await answerAbout(7, { complete })).toMatchObject({
    rounds: 2,
    executedCalls: [{ toolId: 'find_order', arguments: { order: 7 }, result: { data: { order: 7 } } }],
    summary: 'On its way.',
    stopReason: 'assistant-stop',
  });
  expect(replies).toEqual([]);
});
