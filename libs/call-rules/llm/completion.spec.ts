import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readReply } from '../read-reply.js';
import { completionIn } from './completion.rules.js';
import { assistantMessage } from './llm-memory.rules.js';

const body = (content: string) => ({ encoding: 'utf8' as const, content, sha256: '' });
const events = (...chunks: readonly (object | string)[]) =>
  chunks.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
const chunk = (delta: object, more: object = {}) => ({
  id: 'c1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const end = chunk({}, { finish_reason: 'stop' });
const usage = { id: 'c1', choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } };
const read = (content: string) => readReply({ status: 200, body: body(content) });

describe('a reply that was streamed', () => {
  it('is read as the completion that its chunks make up, with its usage', () => {
    const stream = events(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'He' }),
      chunk({ content: 'llo' }),
      end,
      usage,
      '[DONE]',
    );
    expect(read(`: ping\n\n${stream}`)).toEqual({
      kind: 'completion',
      content: 'Hello',
      resolvedModel: 'm-1',
      usage: { promptTokens: 7, completionTokens: 3 },
    });
    expect(assistantMessage({ body: body(stream) })).toEqual({ role: 'assistant', content: 'Hello' });
  });

  it('has the parts of its calls put together by their index', () => {
    const part = (index: number, fn: object, more = {}) =>
      chunk({ tool_calls: [{ index, ...more, function: fn }] });
    const stream = events(
      part(0, { name: 'pay', arguments: '' }, { id: 'a', type: 'function' }),
      part(1, { name: 'note', arguments: '{}' }, { id: 'b' }),
      part(0, { arguments: '{"amount"' }),
      part(0, { arguments: ':5}' }),
      chunk({}, { finish_reason: 'tool_calls' }),
    );
    expect(read(stream)).toMatchObject({ toolCall: { id: 'a', name: 'pay', argumentsText: '{"amount":5}' } });
    expect(completionIn(body(stream))).toMatchObject({
      choices: [
        { message: { tool_calls: [{ id: 'a' }, { id: 'b', type: 'function', function: { name: 'note' } }] } },
      ],
    });
  });

  it('is incomplete without an end, and an error when a chunk says so', () => {
    expect(read(events(chunk({ content: 'He' })))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'incomplete' },
    });
    expect(read(events(chunk({ content: 'He' }), '[DONE]'))).toMatchObject({ content: 'He' });
    expect(read(events(chunk({ content: 'He' }), end))).toMatchObject({ content: 'He' });
    const refused = { error: { message: 'overloaded' } };
    expect(read(events(chunk({ content: 'He' }), refused))).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unusable-reply' },
    });
    expect(read(events(chunk({ content: 'x' }), chunk({}, { finish_reason: 'length' })))).toMatchObject({
      stopped: { kind: 'length' },
    });
  });

  it('has a call of its own for each id, even when all have the same index, and keeps a name that comes again empty', () => {
    const part = (more: object) => chunk({ tool_calls: [{ index: 0, ...more }] });
    const stream = events(
      part({ id: 'a', function: { name: 'pay', arguments: '{"n":' } }),
      part({ id: '', function: { name: '', arguments: '1}' } }),
      part({ id: 'b', function: { name: 'note', arguments: '{}' } }),
      end,
    );
    const calls = [
      { type: 'function', id: 'a', function: { name: 'pay', arguments: '{"n":1}' } },
      { type: 'function', id: 'b', function: { name: 'note', arguments: '{}' } },
    ];
    expect(assistantMessage({ body: body(stream) })).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: calls,
    });
  });

  it('may hold the function_call of older APIs, and content in parts', () => {
    const called = events(
      chunk({ function_call: { name: 'pay', arguments: '{"n"' } }),
      chunk({ function_call: { arguments: ':1}' } }),
      end,
    );
    expect(read(called)).toMatchObject({ toolCall: { name: 'pay', argumentsText: '{"n":1}' } });
    const parts = events(
      chunk({ content: [{ type: 'text', text: 'He' }] }),
      chunk({ content: [{ type: 'text', text: 'll' }] }),
      chunk({ content: 'o' }),
      end,
    );
    expect(read(parts)).toMatchObject({ content: 'Hello' });
  });

  it('is read in linear time for all members, calls and indices of its chunks', () => {
    const count = 60_000;
    const hostile = Array.from({ length: count }, (_, at) =>
      chunk({ [`m${at}`]: 'x', content: 'y', tool_calls: [{ index: at, function: { arguments: 'z' } }] }),
    );
    expect(read(events(...hostile, end))).toMatchObject({
      failure: { message: expect.stringContaining(`${count} calls of tools`) },
    });
  });

  it('is the same however its text is cut into chunks', () => {
    const texts = fc.array(fc.string(), { minLength: 1, maxLength: 10 });
    const property = fc.property(texts, fc.constantFrom('\n', '\r\n'), (parts, newline) => {
      const stream = events(...parts.map((content) => chunk({ content })), end).replaceAll('\n', newline);
      expect(read(stream)).toMatchObject({ kind: 'completion', content: parts.join('') });
    });
    fc.assert(property, { numRuns: 50 });
  });
});
