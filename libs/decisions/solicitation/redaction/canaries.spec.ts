import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256 } from '#lib/kernel';
import { LlmCalls, llmSecrets, publicUrl, Redactor } from '#lib/activities';
import { callLlm } from '../plain/call-llm.js';
import type { LlmAuditEntry } from '../plain/llm-audit.js';
import { reply, ScriptedLlmServer, type ScriptedReply, setEnvironment } from '#lib/activities/testing';

// Secrets in every place from which they could return; no record may hold one of them.
const KEY = 'sk-canary-key/with+"characters';
const QUERY = 'canary-query-0123456789';
const TOKEN = 'canary-webhook-0123456789';

let server: ScriptedLlmServer;
beforeEach(async () => {
  server = await ScriptedLlmServer.start();
});
afterEach(() => server.close());

const config = () => ({ apiKey: KEY, baseUrl: `${server.baseUrl}?key=${QUERY}&api-version=2024-10-21` });
const request = { timeoutMs: 20_000, requestBody: { model: 'gpt-x' } };

async function recorded(scripted: ScriptedReply): Promise<string> {
  server.enqueue(scripted);
  const outcome = await new LlmCalls(config(), new Redactor([...llmSecrets(config()), TOKEN])).perform(
    request,
    new AbortController().signal,
  );
  const text = JSON.stringify(outcome);
  for (const canary of ['sk-canary-key', QUERY, TOKEN]) expect(text).not.toContain(canary);
  return text;
}

describe('no secret is recorded', () => {
  it('when the server echoes it in headers', async () => {
    const text = await recorded(
      reply({ headers: { 'x-request-id': `for ${KEY}`, 'x-ratelimit-user': QUERY } }),
    );
    expect(text).toContain('for [REDACTED]');
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[0]?.path).toContain(QUERY);
  });

  it.each([
    ['as it is', KEY],
    ['as a JSON string', JSON.stringify({ error: { message: `Incorrect API key: ${KEY}` } })],
    ['as a JSON string with escaped slashes', JSON.stringify(KEY).replaceAll('/', String.raw`\/`)],
    ['in a URL', `https://other.example/?key=${encodeURIComponent(KEY)}&q=${QUERY}`],
    ['with other secrets', `${TOKEN} ${KEY}${QUERY}`],
  ])('when the body echoes it %s', async (_, body) => {
    expect(await recorded(reply({ status: 401, body }))).toContain('[REDACTED]');
  });

  const encoded = (...encodings: BufferEncoding[]) =>
    encodings.map((encoding) => Buffer.from(`x${KEY}`).toString(encoding));

  it.each([
    ['X-S8: in base64, base64url and hex', encoded('base64', 'base64url', 'hex').join(' ')],
    ['X-S8: in HTML', KEY.replaceAll('"', '&quot;').replaceAll('-', '&#45;')],
    ['X-S8: in JSON within JSON', JSON.stringify(JSON.stringify(KEY))],
    ['X-S8: in UTF-16', Buffer.from(KEY, 'utf16le')],
    ['X-S8: percent-encoded', KEY.replaceAll('-', '%2d')],
  ])('when the body echoes it %s', async (_, body) => {
    const text = await recorded(reply({ status: 401, body }));
    expect(text).toContain('[REDACTED]');
    expect(text.replaceAll(String.raw`\u0000`, '')).not.toMatch(/canary|key.*characters/);
    for (const canary of encoded('base64', 'base64url', 'hex'))
      expect(text).not.toContain(canary.slice(4, 20));
  });

  it('X-S8: when the upstream compresses what it echoes', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const body = gzipSync(JSON.stringify({ key: Buffer.from(KEY).toString('base64') }));
    expect(await recorded(reply({ headers, body }))).toContain('[REDACTED]');
  });

  it('when a body that is not text echoes it', async () => {
    const text = await recorded(reply({ body: Buffer.concat([Buffer.from([0xff]), Buffer.from(KEY)]) }));
    const { completed } = JSON.parse(text) as {
      completed: { body: { encoding: string; content: string; sha256: string } };
    };
    expect(completed.body.encoding).toBe('base64');
    expect(Buffer.from(completed.body.content, 'base64').toString('latin1')).toBe('\u00ff[REDACTED]');
    expect(completed.body.sha256).toBe(sha256(completed.body.content));
  });

  it('when the words of an error hold it: an encoding that names the key', async () => {
    const scripted = reply({ headers: { 'content-encoding': `x-${TOKEN}` }, body: 'x' });
    expect(await recorded(scripted)).toContain('[REDACTED]');
  });

  it('in the hash: it is taken of what is stored', async () => {
    const { completed } = JSON.parse(await recorded(reply({ body: KEY }))) as {
      completed: { body: { sha256: string } };
    };
    expect(completed.body.sha256).toBe(sha256('[REDACTED]'));
  });

  it('in the words of the network: a host name that is a secret', async () => {
    const calls = new LlmCalls({ apiKey: KEY, baseUrl: `http://${TOKEN}.invalid/v1` }, new Redactor([TOKEN]));
    const outcome = await calls.perform(request, new AbortController().signal);
    expect(outcome).toMatchObject({ failed: { failure: { kind: 'network' } } });
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });

  it('in an audit entry, wherever it stood', async () => {
    const restore = setEnvironment({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: config().baseUrl });
    const entries: LlmAuditEntry[] = [];
    server.enqueue(reply({ status: 401, body: `Incorrect API key: ${KEY}` }));
    const call = callLlm('gpt-x', 'system', `my key is ${KEY}`, {
      record: (entry) => void entries.push(entry),
    });
    await expect(call).rejects.toThrow('LLM API error (401): Incorrect API key: [REDACTED]');
    restore();
    expect(JSON.stringify(entries)).not.toMatch(/sk-canary|canary-query/);
    expect(entries[0]).toMatchObject({ responseBody: 'Incorrect API key: [REDACTED]' });
  });

  it('in a public URL: neither user info nor values of the query', () => {
    const url = publicUrl(`https://user:${TOKEN}@models.example/v1/?key=${QUERY}&api-version=1#frag`);
    expect(url).toBe('https://models.example/v1?key=[REDACTED]&api-version=[REDACTED]');
  });
});
