import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReceivedReply } from '#lib/call-rules';
import { sha256 } from '#lib/kernel';
import { Redactor } from '../redaction/redactor.js';
import { LlmCalls } from '../llm/llm-calls.js';
import { droppedConnection, partialReply, reply, type ScriptedReply } from '../testing/scripted-reply.js';
import { ScriptedLlmServer } from '../testing/scripted-llm-server.js';
import { ScriptedWebhookServer } from '../testing/scripted-webhook-server.js';
import { WebhookCaller } from '../webhooks/webhook-caller.js';
import { MAX_RECEIVED_BYTES, MAX_REPLY_BYTES } from './reply-limits.js';

const KEY = 'sk-canary-0123456789';
const { signal } = new AbortController();

let model: ScriptedLlmServer;
let webhook: ScriptedWebhookServer;
beforeEach(async () => {
  model = await ScriptedLlmServer.start();
  webhook = await ScriptedWebhookServer.start();
});
afterEach(() => Promise.all([model.close(), webhook.close()]));

interface Failed {
  readonly failure: object;
  readonly received?: ReceivedReply;
}

async function modelFails(scripted: ScriptedReply, timeoutMs = 20_000): Promise<Failed> {
  model.enqueue(scripted);
  const calls = new LlmCalls({ apiKey: KEY, baseUrl: model.baseUrl });
  const outcome = await calls.perform({ timeoutMs, requestBody: {} }, signal);
  if ('completed' in outcome) throw new Error('A whole reply came.');
  return outcome.failed;
}

async function webhookFails(scripted: ScriptedReply, timeoutMs = 20_000): Promise<Failed> {
  webhook.enqueue(scripted);
  const caller = new WebhookCaller({ privateAddresses: 'allow' }, new Redactor([KEY]));
  const call = { url: webhook.url, machineName: 'm', webhookTokenName: 'T_HOOK_TOKEN', body: {}, timeoutMs };
  const outcome = await caller.call(call, signal);
  expect(outcome.kind).toBe('failed');
  return outcome as Failed;
}

const gzipped = (body: Buffer, status = 200) =>
  reply({ status, body, headers: { 'content-encoding': 'gzip', 'x-request-id': 'r-7' } });

describe.each([
  ['a model', modelFails],
  ['a webhook', webhookFails],
])('X-D1: what was received of a reply of %s', (_, fails) => {
  const kept = (content: string, encoding: 'utf8' | 'base64' = 'utf8') => ({
    encoding,
    content,
    sha256: sha256(content),
  });

  it('is kept with status, headers and bytes when its content encoding is broken', async () => {
    const bytes = Buffer.concat([gzipSync('{"a":1}').subarray(0, 15), Buffer.alloc(9, 0xff)]);
    const { failure, received } = await fails(gzipped(bytes, 503));
    expect(failure).toMatchObject({ kind: 'unusable' });
    expect(received).toMatchObject({ status: 503, responseHeaders: { 'x-request-id': 'r-7' } });
    expect(received?.body).toEqual(kept(bytes.toString('base64'), 'base64'));
  });

  it('is kept as received when its content encoding is not known, although it is text', async () => {
    const { received } = await fails(reply({ headers: { 'content-encoding': 'zstd' }, body: 'text' }));
    expect(received?.body).toEqual(kept(Buffer.from('text').toString('base64'), 'base64'));
  });

  it('is kept when the connection is cut, and the failure is still one of the network', async () => {
    const { failure, received } = await fails(partialReply('{"id":"é', 'drop'));
    expect(failure).toMatchObject({ kind: 'network', retryable: true });
    expect(received).toMatchObject({ status: 200, body: kept('{"id":"é') });
  });

  it('is kept when the rest does not come in time', async () => {
    const { failure, received } = await fails(partialReply('{"id":', 'hang'), 1_000);
    expect(failure).toMatchObject({ kind: 'timeout' });
    expect(received?.body).toEqual(kept('{"id":'));
  });

  it('is its first MiB when it is too large', async () => {
    const { received } = await fails(reply({ body: Buffer.alloc(MAX_REPLY_BYTES + 1, 'a') }));
    expect(received?.body).toEqual(kept('a'.repeat(MAX_RECEIVED_BYTES)));
  });

  it('is kept compressed when it is too large once it is decoded', async () => {
    const bytes = gzipSync(Buffer.alloc(MAX_REPLY_BYTES + 1, 'a'), { level: 1 });
    const { failure, received } = await fails(gzipped(bytes));
    const content = Buffer.from(received?.body.content ?? '', 'base64');
    expect(failure).toMatchObject({ kind: 'unusable' });
    expect(content.length).toBeGreaterThan(1000);
    expect(bytes.subarray(0, content.length)).toEqual(content);
  });

  it('holds no secret: not where it was cut, and not compressed', async () => {
    const cut = await fails(partialReply(`for ${KEY.slice(0, -2)}`, 'drop'));
    expect(cut.received?.body).toEqual(kept('for [REDACTED]'));
    const compressed = await fails(gzipped(gzipSync(`${'a '.repeat(99)}${KEY}`).subarray(0, -4)));
    expect(Buffer.from(compressed.received?.body.content ?? '', 'base64').toString()).toContain(
      'a [REDACTED]',
    );
    const border = `${'a'.repeat(MAX_RECEIVED_BYTES - 4)}${KEY}${'a'.repeat(MAX_REPLY_BYTES)}`;
    expect((await fails(reply({ body: border }))).received?.body.content).toMatch(/a\[RED$/);
  });

  it('is absent when nothing was received', async () => {
    expect(await fails(droppedConnection())).not.toHaveProperty('received');
  });
});
