import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type JsonObject, jsonText, sha256 } from '#lib/kernel';
import { readReply } from '#lib/call-rules';
import { reply } from '../testing/scripted-reply.js';
import { ScriptedLlmServer } from '../testing/scripted-llm-server.js';
import { LlmCalls } from './llm-calls.js';

interface Recorded {
  readonly kind: 'tool_calls' | 'text' | 'nochoices' | 'notjson';
  readonly request: JsonObject;
  readonly status: number;
  readonly responseBody: string;
}

const file =
  process.env['REDIAL_RECORDED_LLM'] ??
  resolve(import.meta.dirname, '../../../../shared/recorded-llm/exchanges.jsonl');
const isThere = existsSync(file);
const exchanges = isThere
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Recorded)
  : [];

const run = isThere ? describe : describe.skip;
run(
  `recorded exchanges${isThere ? '' : ' (skipped: set REDIAL_RECORDED_LLM to the file that holds them)'}`,
  () => {
    it('are captured byte for byte, and sent as they were', async () => {
      const server = await ScriptedLlmServer.start(
        exchanges.map(({ status, responseBody }) => reply({ status, body: responseBody })),
      );
      const calls = new LlmCalls({ apiKey: 'sk-canary-0123456789', baseUrl: server.baseUrl });
      for (const [index, { request, status, responseBody }] of exchanges.entries()) {
        const asked = { timeoutMs: 20_000, requestBody: request };
        const outcome = await calls.perform(asked, new AbortController().signal);
        const body = { encoding: 'utf8', content: responseBody, sha256: sha256(responseBody) };
        expect(outcome).toMatchObject({ completed: { status, body } });
        expect(server.requests[index]?.text).toBe(jsonText(request));
      }
      await server.close();
    });

    it('are read as what they are', () => {
      for (const { kind, status, responseBody: content } of exchanges) {
        const read = readReply({
          status,
          body: { encoding: 'utf8', content, sha256: '' },
        });
        const toolCalled = read.kind === 'completion' && read.toolCall !== undefined;
        expect(toolCalled).toBe(kind === 'tool_calls');
        const isCompletion = (kind === 'tool_calls' || kind === 'text') && status < 400;
        expect(`${kind} ${status}: ${read.kind}`).toBe(
          `${kind} ${status}: ${isCompletion ? 'completion' : 'failed'}`,
        );
      }
      expect(exchanges.length).toBeGreaterThan(0);
    });
  },
);
