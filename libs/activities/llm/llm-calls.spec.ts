import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { USUAL_REQUEST_HEADERS } from '#lib/call-rules';
import { type JsonObject, jsonText, sha256 } from '#lib/kernel';
import {
  droppedConnection,
  heldBack,
  httpError,
  noAnswer,
  partialReply,
  reply,
  streamed,
} from '../testing/scripted-reply.js';
import { ScriptedLlmServer } from '../testing/scripted-llm-server.js';
import { setEnvironment } from '../testing/environment.js';
import { text } from '../testing/completions.js';
import { MAX_REPLY_BYTES } from '../http/reply-limits.js';
import { LlmCalls } from './llm-calls.js';

const KEY = 'sk-canary-0123456789';
const body: JsonObject = { model: 'gpt-x', messages: [{ role: 'user', content: 'hi' }] };

let server: ScriptedLlmServer;
beforeEach(async () => {
  server = await ScriptedLlmServer.start();
});
afterEach(() => server.close());
const { signal: never } = new AbortController();
function perform(
  parts: { requestBody?: JsonObject; timeoutMs?: number } = {},
  signal = never,
  baseUrl = server.baseUrl,
  apiKey = KEY,
) {
  const request = { timeoutMs: 20_000, requestBody: body, ...parts };
  return new LlmCalls({ apiKey, baseUrl }).perform(request, signal);
}

describe('the connection', () => {
  const calls = () => new LlmCalls({ apiKey: KEY, baseUrl: server.baseUrl });
  const request = { timeoutMs: 20_000, requestBody: body };

  it('is kept for the calls that follow', async () => {
    const client = calls();
    server.enqueue(text('one'), text('two'));
    await client.perform(request, never);
    await client.perform(request, never);
    expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(1);
  });

  it('is opened for each concurrent call', async () => {
    const client = calls();
    server.enqueue(text('one'), text('two'));
    await Promise.all([client.perform(request, never), client.perform(request, never)]);
    expect(new Set(server.requests.map(({ remotePort }) => remotePort)).size).toBe(2);
  });

  it('fails a call like any other where it was kept and is cut before the reply: nothing is sent again', async () => {
    const client = calls();
    server.enqueue(text('one'), droppedConnection());
    await client.perform(request, never);
    const cut = await client.perform(request, never);
    expect(cut).toMatchObject({ failed: { failure: { kind: 'network', retryable: true } } });
    expect(server.requests).toHaveLength(2);
    server.enqueue(text('three'));
    expect(await client.perform(request, never)).toMatchObject({ completed: { status: 200 } });
  });
});

describe('what goes over the wire', () => {
  it.each<[string, JsonObject]>([
    ['members in their order', { z: 1, a: { '2': 'two', b: [], '1': null }, messages: [] }],
    ['characters that need escapes', { content: '\u2028 "quoted" \\ \n \u0000 \ud800 😀 é' }],
    ['numbers and empty things', { a: 1e21, b: -0.5, c: {}, d: [], e: '', f: false, g: null }],
    [
      'members that have meaning in JavaScript',
      JSON.parse('{"__proto__":{"a":1},"constructor":2}') as JsonObject,
    ],
    ['what the client might think a stream', { stream: false, n: 1 }],
  ])('is the JSON text of the body, byte for byte: %s', async (_, requestBody) => {
    server.enqueue(text('ok'));
    await perform({ requestBody });
    expect(server.requests[0]?.text).toBe(jsonText(requestBody));
  });

  it('is one POST with the key, JSON, and nothing of other environment variables', async () => {
    const restore = setEnvironment({
      OPENAI_ORG_ID: 'org-1',
      OPENAI_PROJECT_ID: 'proj-1',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
    });
    server.enqueue(text('ok'));
    await perform();
    restore();
    expect(server.requests).toHaveLength(1);
    const { headers, method, path } = server.requests[0] ?? {};
    expect({ method, path }).toEqual({ method: 'POST', path: '/v1/chat/completions' });
    expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('openai-organization');
    expect(headers).not.toHaveProperty('openai-project');
  });

  it('keeps the query of the base URL', async () => {
    server.enqueue(text('ok'));
    await perform({}, never, `${server.baseUrl}/?api-version=2024-10-21&x=a%20b`);
    const { pathname, searchParams } = new URL(server.requests[0]?.path ?? '', server.baseUrl);
    expect([pathname, ...searchParams]).toEqual([
      '/v1/chat/completions',
      ['api-version', '2024-10-21'],
      ['x', 'a b'],
    ]);
  });
});

describe('a reply', () => {
  it('is recorded with the headers of its request where they are not the usual ones', async () => {
    server.enqueue(reply());
    const { Authorization: _, ...requestHeaders } = USUAL_REQUEST_HEADERS;
    expect(await perform({}, never, server.baseUrl, '')).toMatchObject({ completed: { requestHeaders } });
  });

  it('is recorded with chosen headers and the hash of its body', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-request-id': 'req-1',
      'X-RateLimit-Remaining': '9',
      'set-cookie': 'a=b',
      'openai-organization': 'acme',
    };
    server.enqueue(reply({ headers, body: '{"é":1}' }));
    expect(await perform()).toEqual({
      completed: {
        status: 200,
        responseHeaders: {
          'content-type': 'application/json',
          'x-request-id': 'req-1',
          'x-ratelimit-remaining': '9',
          date: expect.any(String),
        },
        body: { encoding: 'utf8', content: '{"é":1}', sha256: sha256('{"é":1}') },
        durationMs: expect.any(Number),
      },
    });
  });

  it.each([204, 304, 400, 401, 404, 408, 409, 421, 429, 500, 503, 599, 999])(
    'with status %d is completed, and asked for once',
    async (status) => {
      const content = status === 204 || status === 304 ? '' : 'no JSON at all';
      server.enqueue(reply({ status, body: content, headers: { 'retry-after': '0' } }));
      const outcome = await perform();
      expect(outcome).toMatchObject({ completed: { status, body: { content } } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([301, 302, 307, 308])(
    'that redirects (%d) is a reply; the key goes nowhere else',
    async (status) => {
      const other = await ScriptedLlmServer.start();
      server.enqueue(reply({ status, headers: { location: `${other.baseUrl}/chat/completions` } }));
      expect(await perform()).toMatchObject({ completed: { status } });
      expect(other.requests).toEqual([]);
      await other.close();
    },
  );

  it.each([
    ['gzip', gzipSync('{"a":"é"}')],
    ['deflate', deflateSync('{"a":"é"}')],
    ['br', brotliCompressSync('{"a":"é"}')],
    ['GZIP', gzipSync('{"a":"é"}')],
    ['identity', Buffer.from('{"a":"é"}')],
  ])('is recorded after content decoding: %s', async (encoding, content) => {
    server.enqueue(reply({ headers: { 'content-encoding': encoding }, body: content }));
    expect(await perform()).toMatchObject({
      completed: { body: { encoding: 'utf8', content: '{"a":"é"}' } },
    });
  });

  it('that is not UTF-8 is kept as base64, with the hash of that text', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    server.enqueue(reply({ body: bytes }));
    const content = bytes.toString('base64');
    expect(await perform()).toMatchObject({
      completed: { body: { encoding: 'base64', content, sha256: sha256(content) } },
    });
  });

  it('keeps a byte order mark, and characters of every length', async () => {
    const content = '\uFEFF{"a":"é€😀\u0000"}';
    server.enqueue(reply({ body: content }));
    expect(await perform()).toMatchObject({ completed: { body: { encoding: 'utf8', content } } });
  });

  it('of exactly the largest size is taken', async () => {
    server.enqueue(reply({ body: Buffer.alloc(MAX_REPLY_BYTES, 0x20) }));
    expect(await perform()).toMatchObject({ completed: { status: 200 } });
  });
});

describe('no whole reply', () => {
  it.each([
    ['too large', reply({ body: Buffer.alloc(MAX_REPLY_BYTES + 1) })],
    [
      'too large once it is decoded',
      reply({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(MAX_REPLY_BYTES + 1)) }),
    ],
    [
      'in an encoding that the request does not accept',
      reply({ headers: { 'content-encoding': 'zstd' }, body: 'x' }),
    ],
    ['not in the encoding it names', reply({ headers: { 'content-encoding': 'gzip' }, body: 'x' })],
    [
      'cut short within its encoding',
      reply({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"a":1}').subarray(0, 20) }),
    ],
  ])('is unusable when the reply is %s', async (_, scripted) => {
    server.enqueue(scripted);
    expect(await perform()).toMatchObject({
      failed: {
        failure: { kind: 'unusable', retryable: false, message: expect.stringMatching(/^The reply/) },
      },
    });
  });

  it.each([
    ['before its headers', droppedConnection(), /socket hang up \(ECONNRESET\)/],
    ['within its body', partialReply('{"id":', 'drop'), /aborted \(ECONNRESET\)/],
  ])('is a network failure when the connection is cut %s', async (_, scripted, words) => {
    server.enqueue(scripted);
    expect(await perform()).toMatchObject({
      failed: {
        failure: { kind: 'network', retryable: true, message: expect.stringMatching(words) },
        requestHeaders: { Authorization: '[REDACTED]' },
      },
    });
  });

  it('keeps the words and the code of the network', async () => {
    expect(await perform({}, never, 'http://127.0.0.1:1/v1')).toMatchObject({
      failed: { failure: { kind: 'network', message: 'connect ECONNREFUSED 127.0.0.1:1' } },
    });
    expect(await perform({}, never, 'http://nowhere.invalid/v1')).toMatchObject({
      failed: { failure: { kind: 'network', message: expect.stringMatching(/nowhere\.invalid/) } },
    });
  });

  it.each([
    ['nothing comes', noAnswer()],
    ['the body stops coming', partialReply('{"id":', 'hang')],
  ])('is a timeout when %s', async (_, scripted) => {
    server.enqueue(scripted);
    expect(await perform({ timeoutMs: 1_000 })).toMatchObject({
      failed: {
        failure: { kind: 'timeout', retryable: true, message: 'No whole reply came within 1000 ms.' },
        requestHeaders: { Authorization: '[REDACTED]' },
      },
    });
  });

  it.each([
    ['nothing has come', noAnswer()],
    ['a part of the body has come', partialReply('{"id":', 'hang')],
    ['the reply is held back', heldBack(text('late'), new Promise(() => undefined))],
  ])('is interrupted when the signal comes while %s', async (_, scripted) => {
    server.enqueue(scripted);
    const shutdown = new AbortController();
    const outcome = perform({}, shutdown.signal);
    await server.received(1);
    shutdown.abort();
    expect(await outcome).toMatchObject({
      failed: { failure: { kind: 'interrupted' } },
    });
  });

  it('is interrupted, with nothing sent, when the signal came before', async () => {
    const nothingSent = {
      failed: { failure: expect.objectContaining({ kind: 'interrupted', durationMs: 0 }) },
    };
    expect(await perform({}, AbortSignal.abort())).toEqual(nothingSent);
    expect(server.requests).toEqual([]);
  });
});

describe('a reply that is streamed', () => {
  const requestBody = { ...body, stream: true };
  const part = (delta: object) => ({ choices: [{ index: 0, delta, finish_reason: null }] });
  const chunks = [
    part({ role: 'assistant', content: '' }),
    part({ content: 'Hé' }),
    part({ content: 'llo' }),
  ];
  const stream = streamed(chunks);

  async function shown(limits: object = {}) {
    const texts: string[] = [];
    const calls = new LlmCalls({ apiKey: KEY, baseUrl: server.baseUrl });
    const request = { timeoutMs: 20_000, requestBody, ...limits };
    const outcome = await calls.perform(request, never, (shownText) => texts.push(shownText));
    return { outcome, texts };
  }

  it('is shown while it comes, and recorded byte for byte with the time until its first token', async () => {
    server.enqueue(stream);
    const { outcome, texts } = await shown();
    expect(texts).toEqual(['Hé', 'llo']);
    expect(outcome).toMatchObject({
      completed: { body: { content: stream.body }, firstTokenMs: expect.any(Number) },
    });
    expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });

  it('is shown as it comes when its bytes are cut anywhere, in the middle of a character too', async () => {
    const whole = Buffer.from(stream.body);
    for (const at of [3, whole.indexOf('é') + 1, whole.length - 5]) {
      server.enqueue({ ...stream, body: whole.subarray(0, at), more: [{ body: whole.subarray(at) }] });
      expect((await shown()).texts.join('')).toBe('Héllo');
    }
  });

  it('shows nothing of a reply that was not asked for as a stream, and takes one that comes whole', async () => {
    server.enqueue(text('Hello.'), stream);
    const whole = await shown();
    expect([whole.texts, whole.outcome]).toEqual([
      [],
      { completed: expect.not.objectContaining({ firstTokenMs: 0 }) },
    ]);
    expect((await shown({ requestBody: body })).texts).toEqual([]);
  });

  it('fails when its first byte does not come in time, with nothing received', async () => {
    server.enqueue(noAnswer());
    const { outcome } = await shown({ firstByteTimeoutMs: 1_000 });
    const message = 'Nothing came for 1000 ms.';
    expect(outcome).toMatchObject({ failed: { failure: { kind: 'timeout', message } } });
    expect(outcome).not.toHaveProperty('failed.received');
  });

  it('fails when it stalls, and keeps and has shown what came before', async () => {
    server.enqueue({ ...stream, ending: 'hang' });
    const { outcome, texts } = await shown({ idleTimeoutMs: 1_000 });
    expect(outcome).toMatchObject({
      failed: {
        failure: { kind: 'timeout', message: 'Nothing came for 1000 ms.' },
        received: { status: 200, body: { content: stream.body } },
      },
    });
    expect(texts).toEqual(['Hé', 'llo']);
  });

  it('that is cut fails as network; one that ends without its end is a whole body that says less', async () => {
    server.enqueue({ ...stream, ending: 'drop' }, streamed(chunks, { end: '' }));
    expect((await shown()).outcome).toMatchObject({
      failed: { failure: { kind: 'network' }, received: { body: { content: stream.body } } },
    });
    expect((await shown()).outcome).toMatchObject({ completed: { status: 200 } });
  });

  it('is cut at the largest size, whether in one line or in many', async () => {
    const line = reply({ body: `data: ${'x'.repeat(MAX_REPLY_BYTES)}` });
    server.enqueue(line, reply({ body: `data: {${' '.repeat(91)}}\n\n`.repeat(MAX_REPLY_BYTES / 100) }));
    for (let times = 0; times < 2; times++)
      expect((await shown()).outcome).toMatchObject({ failed: { failure: { kind: 'unusable' } } });
  });

  it('keeps a secret that stands across its parts out of the record and of what is shown', async () => {
    const secret = [
      part({ content: `It is ${KEY.slice(0, 9)}` }),
      part({ content: KEY.slice(9) }),
      part({ content: '.' }),
    ];
    server.enqueue(streamed(secret));
    const { outcome, texts } = await shown();
    expect(texts.join('')).toBe('It is [REDACTED].');
    expect(outcome).toMatchObject({
      completed: { body: { content: expect.stringContaining('It is [REDACTED].') } },
    });
    expect(jsonText(outcome)).not.toContain(KEY.slice(9));
  });
});

it('takes a time limit that no timer can wait', async () => {
  server.enqueue(httpError(500));
  const outcome = await perform({ timeoutMs: 2 ** 40 });
  expect(outcome).toMatchObject({ completed: { status: 500 } });
});

it('leaves nothing behind on a signal that lives long', async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  server.enqueue(text('a'), text('b'));
  await perform({}, signal);
  await perform({}, signal);
  expect(listeners).toBe(0);
});
