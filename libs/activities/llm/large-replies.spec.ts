import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readReply } from '#lib/call-rules';
import { jsonText } from '#lib/kernel';
import { reply } from '../testing/scripted-reply.js';
import { ScriptedLlmServer } from '../testing/scripted-llm-server.js';
import { text } from '../testing/completions.js';
import { LlmCalls } from './llm-calls.js';

let server: ScriptedLlmServer;
beforeEach(async () => {
  server = await ScriptedLlmServer.start();
});
afterEach(() => server.close());

const request = { timeoutMs: 20_000, requestBody: { model: 'gpt-x', messages: [] } };
function perform() {
  const calls = new LlmCalls({ apiKey: 'sk-canary-0123456789', baseUrl: server.baseUrl });
  return calls.perform(request, new AbortController().signal);
}

describe('0.2-S5 a reply that is more than is taken from one', () => {
  const withText = (content: string) => reply({ body: content });

  it('with too many members fails, once, before it is recorded whole', async () => {
    server.enqueue(withText(`{"choices":[${Array(600_000).fill('{}').join(',')}]}`));
    const outcome = await perform();
    expect(outcome).toMatchObject({
      failed: { failure: { kind: 'unusable-reply', retryable: false }, received: { status: 200 } },
    });
    expect(jsonText(outcome).length).toBeLessThan(2 * 1024 * 1024);
  });

  it('whose arguments have too many members together fails as well', async () => {
    const given = `[${Array(300_000).fill('1').join(',')}]`;
    const call = { id: 'a', type: 'function', function: { name: 'find', arguments: given } };
    const message = { role: 'assistant', content: null, tool_calls: [call, call] };
    server.enqueue(withText(jsonText({ choices: [{ index: 0, message }] })));
    expect(await perform()).toMatchObject({ failed: { failure: { kind: 'unusable-reply' } } });
  });

  it('that is streamed fails if one of its chunks has too many, however many short ones come beside it', async () => {
    const chunk = (lists: number) =>
      `data: {"choices":[{"index":0,"delta":{"x":[${Array(lists).fill('[]').join(',')}]}}]}\n\n`;
    const streamed = (lists: number) => `${'data: {}\n\n'.repeat(100_000)}${chunk(lists)}data: [DONE]\n\n`;
    server.enqueue(withText(streamed(300_000)), withText(streamed(200_000)));
    expect(await perform()).toMatchObject({ failed: { failure: { kind: 'unusable-reply' } } });
    expect(await perform()).toMatchObject({ completed: { status: 200 } });
  });

  it('that is nested without end is recorded, and read without being parsed', async () => {
    server.enqueue(withText(`{"choices":${'['.repeat(5_000_000)}`));
    const { completed } = (await perform()) as { completed: Parameters<typeof readReply>[0] };
    expect(readReply(completed)).toMatchObject({ kind: 'failed', failure: { kind: 'unusable-reply' } });
  });

  it('of prose with many commas and brackets is taken', async () => {
    server.enqueue(text(`See: ${'[a, b], '.repeat(200_000)}`));
    expect(await perform()).toMatchObject({ completed: { status: 200 } });
  });
});
