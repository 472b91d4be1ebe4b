import { describe, expect, it } from '@jest/globals';
import { readReply, readRequest } from './read-call.js';

describe('a recorded call', () => {
  it('is read as messages, tools and settings', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Decide.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'One' },
            { type: 'text', text: 'Two' },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'pay', parameters: { type: 'object' } } }],
    };
    expect(readRequest(body)).toEqual({
      messages: [
        { role: 'system', text: 'Decide.', calls: [] },
        { role: 'user', text: 'One\nTwo', calls: [] },
      ],
      tools: [{ name: 'pay', description: '', parameters: { type: 'object' } }],
      settings: { model: 'm' },
    });
  });

  it('has a reply with its calls, refusal and finish reason', () => {
    const call = { function: { name: 'pay', arguments: '{"amount":4}' } };
    const message = { role: 'assistant', content: null, refusal: 'No.', tool_calls: [call] };
    const body = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] });
    expect(readReply(body)).toEqual({
      message: { role: 'assistant', text: '', calls: [{ name: 'pay', arguments: { amount: 4 } }] },
      finishReason: 'stop',
      refusal: 'No.',
    });
  });

  it.each([null, '', 'not JSON', '[]', '{"choices":[]}', '{"choices":"many"}', '"text"'])(
    'has no readable reply in %j',
    (body) => {
      expect(readReply(body)).toBeUndefined();
    },
  );

  it.each([{}, { messages: 'many', tools: 1 }, { messages: [null, 1], tools: [null] }])(
    'is shown whatever it holds: %j',
    (body) => {
      expect(() => readRequest(body)).not.toThrow();
    },
  );
});
