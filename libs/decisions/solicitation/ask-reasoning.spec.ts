import { describe, expect, it } from '@jest/globals';
import { callsOf, endOf, ladder } from './testing/ladder.js';
import { toolCall } from './testing/scripted-replies.js';

const parameters = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
  additionalProperties: false,
};
const own = { type: 'object', properties: { reasoning: { type: 'string' } } };
const transitions = {
  refund: { target: 'refunded', description: 'Pay back', parameters, onInvalidArguments: 'reject' as const },
  escalate: { target: 'escalated', description: 'Ask a person' },
  note: { target: 'noted', parameters: own },
  wait: { target: 'waiting' },
};
const asking = { transitions, askReasoning: true as const };
const answered = (name: string, args: object, content: string | null = null) =>
  ladder(asking).replies(toolCall(name, args as never, { content }));

describe('X-U2: askReasoning', () => {
  it('adds a required argument to every tool, and leaves a transition alone that has its own', () => {
    const [call] = callsOf(answered('escalate', { reasoning: 'Unclear.' }));
    const reasoning = { type: 'string', description: expect.any(String) };
    expect(call?.requestBody['tools']).toMatchObject([
      {
        function: {
          name: 'refund',
          parameters: {
            ...parameters,
            properties: { amount: { type: 'number' }, reasoning },
            required: ['amount', 'reasoning'],
          },
        },
      },
      {
        function: {
          name: 'escalate',
          parameters: { type: 'object', properties: { reasoning }, required: ['reasoning'] },
        },
      },
      { function: { name: 'note', parameters: own } },
    ]);
  });

  it('takes the argument for the reasoning, before the arguments are checked, and out of metaJson', () => {
    const end = endOf(answered('refund', { amount: 5, reasoning: 'It broke.' })).data;
    expect(end).toMatchObject({ transitionName: 'refund', reasoning: 'It broke.', metaJson: { amount: 5 } });
    expect(endOf(answered('escalate', { reasoning: 'Unclear.' })).data).not.toHaveProperty('metaJson');
  });

  it('keeps the text of the message for the reasoning when the argument is missing or no text', () => {
    for (const args of [{}, { reasoning: '' }, { reasoning: 7 }]) {
      const end = endOf(answered('escalate', args, 'From the text.')).data;
      expect(end).toMatchObject({ reasoning: 'From the text.' });
      expect(end).not.toHaveProperty('metaJson');
    }
  });

  it('leaves the argument of a transition that has its own in metaJson', () => {
    expect(endOf(answered('note', { reasoning: 'A note.' }, 'Why.')).data).toMatchObject({
      reasoning: 'Why.',
      metaJson: { reasoning: 'A note.' },
    });
  });

  it('is not there without the flag', () => {
    const events = ladder({ transitions }).replies(toolCall('escalate', { reasoning: 'x' }));
    expect(JSON.stringify(callsOf(events)[0]?.requestBody['tools'])).not.toContain('Why, in one');
    expect(endOf(events).data).toMatchObject({ reasoning: '', metaJson: { reasoning: 'x' } });
  });
});
