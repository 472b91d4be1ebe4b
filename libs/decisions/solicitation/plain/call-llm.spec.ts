import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpError, ScriptedLlmServer, setEnvironment, text, toolCall } from '#lib/activities/testing';
import { callLlm } from './call-llm.js';
import type { LlmAuditEntry } from './llm-audit.js';

let server: ScriptedLlmServer;
let restore: () => void;
beforeEach(async () => {
  server = await ScriptedLlmServer.start();
  restore = setEnvironment({ OPENAI_API_KEY: 'sk-canary-0123456789', OPENAI_BASE_URL: server.baseUrl });
});
afterEach(async () => {
  restore();
  await server.close();
});

describe('callLlm', () => {
  it('case 24: sends system and user message at temperature 0 without tools, and gives text and usage', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2 };
    server.enqueue(text('hello', { usage }));
    expect(await callLlm('gpt-x[tools=no]', 'system', 'user')).toEqual({ content: 'hello', usage });
    expect(server.requests[0]?.text).toBe(
      '{"model":"gpt-x","messages":[{"role":"system","content":"system"},{"role":"user","content":"user"}],"temperature":0}',
    );
  });

  it('case 24: audits success and HTTP error alike', async () => {
    const entries: LlmAuditEntry[] = [];
    const audit = { record: (entry: LlmAuditEntry) => void entries.push(entry) };
    server.enqueue(text('hello'), httpError(429, 'slow down'));
    await callLlm('gpt-x', 'system', 'user', audit);
    await expect(callLlm('gpt-x', 'system', 'user', audit)).rejects.toThrow('LLM API error (429): slow down');
    expect(entries).toMatchObject([
      { responseStatus: 200, error: null },
      { responseStatus: 429, error: expect.stringContaining('LLM API error (429)') },
    ]);
    expect(entries[0]).not.toHaveProperty('requestBody.tools');
    expect(entries[0]).not.toHaveProperty('sessionId');
  });

  it('gives "" as content for a reply that only calls a tool', async () => {
    server.enqueue(toolCall('approve', {}));
    expect(await callLlm('gpt-x', 'system', 'user')).toEqual({ content: '' });
  });

  it('names the bracket of a malformed model id and sends nothing', async () => {
    await expect(callLlm('gpt-x[tools', 'system', 'user')).rejects.toThrow('[tools');
    expect(server.requests).toEqual([]);
  });
});
