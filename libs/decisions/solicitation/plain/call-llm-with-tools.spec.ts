import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildToolsFromTransitions } from '../build-tools.js';
import {
  completion,
  droppedConnection,
  httpError,
  reply,
  ScriptedLlmServer,
  setEnvironment,
  text,
  toolCall,
} from '#lib/activities/testing';
import { callLlmWithTools, NoToolCallError } from './call-llm-with-tools.js';
import type { LlmAudit, LlmAuditEntry } from './llm-audit.js';

const KEY = 'sk-canary-0123456789';
const usage = { prompt_tokens: 12, completion_tokens: 3 };
const tools = buildToolsFromTransitions({ approve: { target: 'approved', description: 'Accept it' } }) ?? [];

let server: ScriptedLlmServer;
let restore: () => void;
let entries: LlmAuditEntry[];
const audit: LlmAudit = {
  record: (entry) => void entries.push(entry),
  sessionId: 'session-1',
  specialistId: 'ai-1',
  machineName: 'review',
};
const ask = (told: LlmAudit | undefined = audit) => callLlmWithTools('gpt-x', 'system', 'user', tools, told);
const failure = (): Promise<Error & { usage?: unknown }> => ask().then(answered, (error: Error) => error);

const answered = () => {
  throw new Error('It answered, and should have failed.');
};

beforeEach(async () => {
  server = await ScriptedLlmServer.start();
  restore = setEnvironment({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.baseUrl });
  entries = [];
});
afterEach(async () => {
  restore();
  await server.close();
});

describe('callLlmWithTools', () => {
  it('case 11, D-29: gives name, arguments, reasoning and usage of a tool call', async () => {
    server.enqueue(toolCall('approve', { score: 7 }, { content: 'Looks good', usage }));
    expect(await ask()).toEqual({ name: 'approve', arguments: { score: 7 }, reasoning: 'Looks good', usage });
  });

  it('case 12, D-29: throws NoToolCallError with content and usage for text only', async () => {
    server.enqueue(text('I would approve.', { usage }));
    const error = await failure();
    expect(error).toBeInstanceOf(NoToolCallError);
    expect(error).toMatchObject({ content: 'I would approve.', usage });
  });

  it('case 13: takes `tool_calls: []` for no tool call', async () => {
    server.enqueue(completion({ role: 'assistant', content: null, tool_calls: [] }, 'stop'));
    const error = await failure();
    expect(error).toBeInstanceOf(NoToolCallError);
    expect(error).toMatchObject({ content: '' });
    expect(error.usage).toBeUndefined();
  });

  it('case 14, D-29: throws a plain Error that names the status for HTTP 500', async () => {
    server.enqueue(httpError(500, 'upstream fell over'));
    const error = await failure();
    expect(error).not.toBeInstanceOf(NoToolCallError);
    expect(error.message).toContain('LLM API error (500)');
    expect(error.message).toContain('upstream fell over');
    expect(server.requests).toHaveLength(1);
  });

  it('case 15: throws a plain Error with the original message when the network fails', async () => {
    const gone = await ScriptedLlmServer.start();
    const { port } = new URL(gone.baseUrl);
    await gone.close();
    const undo = setEnvironment({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
    const error = await failure();
    undo();
    expect(error).not.toBeInstanceOf(NoToolCallError);
    expect(error.message).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
    expect(entries).toMatchObject([{ responseStatus: null, responseBody: null, error: error.message }]);
  });

  it('case 15: says so when the connection is cut', async () => {
    server.enqueue(droppedConnection());
    expect((await failure()).message).toMatch(/ECONNRESET/);
  });

  it('case 16, D-29: gives {} for arguments that are not JSON', async () => {
    server.enqueue(toolCall('approve', '{"score": 7'));
    expect(await ask()).toMatchObject({ arguments: {} });
  });

  it.each(['null', '[]', '"x"', '7'])(
    'case 16: gives {} for arguments that are JSON but no object: %s',
    async (args) => {
      server.enqueue(toolCall('approve', args));
      expect(await ask()).toMatchObject({ arguments: {} });
    },
  );

  it('case 17: gives "" as reasoning for null content', async () => {
    server.enqueue(toolCall('approve', {}, { content: null }));
    expect(await ask()).toMatchObject({ reasoning: '' });
  });

  it('case 18: leaves usage undefined when the reply has none', async () => {
    server.enqueue(toolCall('approve', {}));
    expect(await ask()).not.toHaveProperty('usage');
  });

  it('case 19: sends the tools given and tool_choice "auto"', async () => {
    server.enqueue(toolCall('approve', {}));
    await ask();
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'system' },
        { role: 'user', content: 'user' },
      ],
      temperature: 0,
      tools,
      tool_choice: 'auto',
    });
  });

  it('case 20: audits a success once, with tools in the request, status 200 and no error', async () => {
    server.enqueue(toolCall('approve', {}, { model: 'gpt-x-2026' }));
    await ask();
    expect(entries).toEqual([
      {
        auditEntryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        requestUrl: `${server.baseUrl}/chat/completions`,
        requestHeaders: expect.objectContaining({ Authorization: '[REDACTED]' }),
        requestBody: server.requests[0]?.body,
        responseStatus: 200,
        responseBody: expect.stringContaining('"tool_calls"'),
        durationMs: expect.any(Number),
        error: null,
        resolvedModel: 'gpt-x-2026',
        sessionId: 'session-1',
        specialistId: 'ai-1',
        machineName: 'review',
      },
    ]);
    expect(entries[0]?.requestBody).toHaveProperty('tools', tools);
  });

  it('case 21, D-49: audits a text answer once, with status 200 and no error', async () => {
    server.enqueue(text('no'));
    await failure();
    expect(entries).toMatchObject([{ responseStatus: 200, error: null }]);
  });

  it('case 22, D-49: audits an HTTP error with its status in the error', async () => {
    server.enqueue(httpError(500, 'fell over'));
    await failure();
    expect(entries).toMatchObject([
      {
        responseStatus: 500,
        responseBody: 'fell over',
        error: expect.stringContaining('LLM API error (500)'),
      },
    ]);
  });

  it('case 23, D-49: audits the Authorization header as [REDACTED], and sends the key', async () => {
    server.enqueue(toolCall('approve', {}));
    await ask();
    expect(entries[0]?.requestHeaders['Authorization']).toBe('[REDACTED]');
    expect(JSON.stringify(entries)).not.toContain(KEY);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('what is not a completion', () => {
  it.each([
    ['zero choices', '{"choices":[]}', 'zero choices'],
    ['a body that is not JSON', '<html>busy</html>', 'not a JSON object'],
    ['an error object under 200', '{"error":{"message":"overloaded"}}', 'overloaded'],
    [
      'a choice without message',
      '{"choices":[{"index":0,"finish_reason":"content_filter"}]}',
      'without a message',
    ],
  ])('is an error: %s', async (_, body, words) => {
    server.enqueue(reply({ body }));
    const error = await failure();
    expect(error).not.toBeInstanceOf(NoToolCallError);
    expect(error.message).toContain(words);
    expect(entries).toMatchObject([{ responseStatus: 200, responseBody: body, error: error.message }]);
  });
});

describe('the audit', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('D-49: that %s breaks nothing', async (_, record: () => Promise<void>) => {
    server.enqueue(toolCall('approve', {}));
    expect(await ask({ record })).toMatchObject({ name: 'approve' });
  });

  it('does not report a call that was not made because no key is set', async () => {
    const undo = setEnvironment({ OPENAI_API_KEY: undefined });
    const error = await failure();
    undo();
    expect(error).toMatchObject({
      code: 'configuration',
      message: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect(entries).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
