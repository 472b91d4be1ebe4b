import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#lib/kernel';
import { callReading, type ReadableCall } from './call-reading.js';

const parameters = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    speed: { enum: ['slow', 'fast'] },
    note: { type: ['string', 'null'] },
  },
  required: ['amount'],
};
const requestBody = {
  model: 'm',
  messages: [
    { role: 'system', content: 'Decide.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Ticket ' },
        { type: 'text', text: '7' },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [{ function: { name: 'refund', arguments: '{}' } }] },
    { role: 'tool', content: 'amount is missing' },
  ],
  tools: [{ type: 'function', function: { name: 'refund', description: 'Pay back', parameters } }],
};
const message = {
  content: 'It broke.',
  tool_calls: [{ function: { name: 'refund', arguments: '{"amount":5}' } }],
};
const call = (over: Partial<ReadableCall> = {}): ReadableCall => ({
  requestBody,
  responseStatus: 200,
  responseBody: JSON.stringify({ choices: [{ message }] }),
  outcome: 'toolCall',
  error: null,
  ...over,
});

describe('X-U1: a call to a model as people read it', () => {
  it('shows the messages by role, tool calls within them', () => {
    expect(callReading(call()).messages).toEqual([
      { role: 'system', text: 'Decide.' },
      { role: 'user', text: 'Ticket 7' },
      { role: 'assistant', text: 'refund({})' },
      { role: 'tool', text: 'amount is missing' },
    ]);
  });

  it('shows the tools with their arguments', () => {
    const shown = 'amount: number, speed?: "slow" | "fast", note?: string | null';
    expect(callReading(call()).tools).toEqual([
      { name: 'refund', description: 'Pay back', parameters: shown },
    ]);
  });

  it('shows the reply with the arguments of its tool call, and what was concluded', () => {
    expect(callReading(call())).toMatchObject({
      replyText: 'It broke.',
      toolCall: { name: 'refund', arguments: { amount: 5 } },
      conclusion: 'A tool was called.',
    });
  });

  it('shows what came instead of a completion, and why it failed', () => {
    const over = {
      responseStatus: 503,
      responseBody: 'busy',
      outcome: 'failed',
      error: 'LLM API error (503): busy',
    };
    expect(callReading(call(over))).toMatchObject({
      replyText: 'busy',
      conclusion: 'The call failed: LLM API error (503): busy',
    });
  });

  it('says of a choice that did not fit that the model was asked again', () => {
    expect(callReading(call({ askedAgain: true })).conclusion).toBe(
      'A tool was called; it did not fit, and the model was asked again.',
    );
  });

  it('shows a call without a reply', () => {
    const over = { responseStatus: null, responseBody: null, outcome: 'pending' };
    expect(callReading(call(over))).toMatchObject({ replyText: '', conclusion: 'No reply has come yet.' });
  });

  it('reads any bodies', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (responseBody, messages) => {
        const body = { messages, tools: messages } as JsonObject;
        expect(callReading(call({ requestBody: body, responseBody }))).toHaveProperty('conclusion');
      }),
    );
  });
});
