import { describe, expect, it } from '@jest/globals';
import { readReply } from './read-reply.js';

function reply(
  status: number,
  content: string,
  { encoding = 'utf8' }: { encoding?: 'utf8' | 'base64' } = {},
) {
  return readReply({ status, body: { encoding, content, sha256: '' } });
}
const completion = (message: object, more: object = {}) =>
  reply(200, JSON.stringify({ choices: [{ message }], ...more }));

describe('readReply', () => {
  it('reads text, tool call, usage and the model that answered', () => {
    const message = { content: 'Why.', tool_calls: [{ id: 'c', function: { name: 'a', arguments: '{}' } }] };
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(completion(message, { usage, model: 'm-2026' })).toEqual({
      kind: 'completion',
      content: 'Why.',
      toolCall: { id: 'c', name: 'a', argumentsText: '{}' },
      usage: { promptTokens: 1, completionTokens: 2 },
      resolvedModel: 'm-2026',
    });
  });

  it.each(['reasoning_content', 'reasoning'])(
    'reads %s as what the model thought, and not as its answer',
    (name) => {
      expect(completion({ content: 'Yes.', [name]: 'Let me see.' })).toEqual({
        kind: 'completion',
        content: 'Yes.',
        reasoning: 'Let me see.',
      });
    },
  );

  it.each([
    ['\n<think>\nLet me see.\n</think>\n\nYes.', 'Yes.', 'Let me see.'],
    [
      '<think>{"transitionName":"no"}</think>{"transitionName":"yes"}',
      '{"transitionName":"yes"}',
      '{"transitionName":"no"}',
    ],
    ['<think>Let me', '', 'Let me'],
    ['<think></think>Yes.', 'Yes.', undefined],
    ['Yes. <think>no</think>', 'Yes. <think>no</think>', undefined],
    ['<thinking>', '<thinking>', undefined],
  ])(
    'reads what stands in <think> before the answer as what the model thought: %j',
    (text, content, reasoning) => {
      const read = completion({ content: text });
      expect(read).toEqual({ kind: 'completion', content, ...(reasoning !== undefined && { reasoning }) });
      const parts = [{ type: 'text', text }];
      expect(completion({ content: parts })).toEqual(read);
    },
  );

  it('takes a choice that is an error for no completion, and keeps its usage', () => {
    const choices = [{ error: { code: 502, message: 'overloaded' }, finish_reason: 'error', message: {} }];
    expect(reply(200, JSON.stringify({ choices, usage: { prompt_tokens: 3 } }))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unusable-reply', message: expect.stringContaining('overloaded') },
      usage: { promptTokens: 3 },
    });
  });

  it('leaves absent what the reply does not have', () => {
    expect(completion({})).toEqual({ kind: 'completion', content: '' });
    expect(completion({ content: [{ type: 'text' }], tool_calls: null }, { usage: null, model: 7 })).toEqual({
      kind: 'completion',
      content: '',
    });
  });

  it.each([[[null]], [['x']], [[{}]], [[{ function: null }]]])(
    'takes %j for a tool call without a name',
    (calls) => {
      expect(completion({ tool_calls: calls })).toMatchObject({ toolCall: { name: '' } });
    },
  );

  it('takes the function_call of older APIs for a tool call, when there is no other', () => {
    const legacy = { name: 'pay', arguments: '{"amount":5}' };
    const toolCall = { id: 'call_0', name: 'pay', argumentsText: '{"amount":5}' };
    expect(completion({ content: null, function_call: legacy })).toMatchObject({ toolCall });
    expect(completion({ function_call: legacy, tool_calls: [] })).toMatchObject({ toolCall });
    const calls = [{ id: 'c', function: { name: 'deny', arguments: '{}' } }];
    expect(completion({ function_call: legacy, tool_calls: calls })).toMatchObject({ toolCall: { id: 'c' } });
    expect(completion({ content: 'Hm.', function_call: null })).not.toHaveProperty('toolCall');
  });

  it('takes every 2xx for success and everything else for an error', () => {
    const body = JSON.stringify({ choices: [{ message: {} }] });
    expect([200, 201, 299].map((status) => reply(status, body).kind)).toEqual(Array(3).fill('completion'));
    expect([199, 300, 404, 500].map((status) => reply(status, body).kind)).toEqual(Array(4).fill('failed'));
  });

  it('X-D2: joins the text parts of a content, and leaves other parts out', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url' },
      { type: 'output_text', text: 'b' },
      7,
    ];
    expect(completion({ content })).toMatchObject({ content: 'ab' });
  });

  it('X-D2: says that the filter stopped a choice without a message, and what it cost', () => {
    const body = { choices: [{ finish_reason: 'content_filter' }], usage: { prompt_tokens: 5 } };
    expect(reply(200, JSON.stringify(body))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unusable-reply', message: expect.stringContaining('filter'), upstreamStatus: 200 },
      usage: { promptTokens: 5 },
    });
  });

  it.each([-1, 1.5, '7', null, 1e9 + 1])('X-D10: drops %j tokens, that member alone', (wrong) => {
    const usage = { prompt_tokens: wrong, completion_tokens: 2 };
    expect(completion({}, { usage })).toMatchObject({ usage: { completionTokens: 2 } });
    expect(completion({}, { usage })).not.toHaveProperty('usage.promptTokens');
  });

  it('takes a reply that asks for more than 128 calls of tools for unusable', () => {
    const asking = (count: number) =>
      completion({ tool_calls: Array.from({ length: count }, () => ({ function: {} })) });
    expect(asking(128)).toMatchObject({ kind: 'completion', toolCall: { name: '' } });
    expect(asking(129)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unusable-reply', message: expect.stringContaining('129 calls') },
    });
  });

  it('X-S1: puts a stream together in time that is linear in its parts, however many members they have', () => {
    const parts = Array.from({ length: 200_000 }, (_, at) => ({ [`m${at}`]: 1 }));
    const chunks = [{ tool_calls: parts }, { tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }];
    const lines = chunks.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n`);
    expect(reply(200, `${lines.join('')}data: [DONE]\n`)).toMatchObject({ toolCall: { name: 'a' } });
  });

  it('X-D10: reads a body behind a byte order mark', () => {
    expect(reply(200, '\ufeff{"choices":[{"message":{"content":"a"}}]}')).toMatchObject({ content: 'a' });
  });

  it('quotes long bodies in part', () => {
    const failed = reply(500, 'x'.repeat(10_000));
    expect(failed).toMatchObject({ failure: { message: `LLM API error (500): ${'x'.repeat(500)}…` } });
  });

  it('does not read a body that is not text', () => {
    expect(reply(200, 'eyJjaG9pY2VzIjpbXX0=', { encoding: 'base64' })).toMatchObject({
      failure: { kind: 'unusable-reply' },
    });
  });

  it('is not stopped by an error that is nested without end', () => {
    const deep = `{"error":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect(reply(200, deep)).toMatchObject({ failure: { kind: 'unusable-reply' } });
  });
});
