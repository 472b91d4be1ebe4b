import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { jsonText, sha256 } from '#lib/kernel';
import { MAX_REPLY_BYTES } from '../http/reply-limits.js';
import { Redactor } from '../redaction/redactor.js';
import { droppedConnection, noAnswer, partialReply, reply } from '../testing/scripted-reply.js';
import { ScriptedWebhookServer } from '../testing/scripted-webhook-server.js';
import { setEnvironment } from '../testing/environment.js';
import { type WebhookCall, WebhookCaller, type WebhookSettings } from './webhook-caller.js';

const TOKEN = 'hook-canary-0123456789';
const body = { z: 1, a: { '2': 'two', '1': null }, text: '\u2028 "é" 😀' };

let server: ScriptedWebhookServer;
beforeEach(async () => {
  server = await ScriptedWebhookServer.start();
});
afterEach(() => server.close());

const { signal: never } = new AbortController();
const caller = (
  privateAddresses: WebhookSettings['privateAddresses'] = 'allow',
  environment: NodeJS.ProcessEnv = { HOOK_TOKEN: TOKEN },
  secrets: readonly string[] = [],
) => new WebhookCaller({ privateAddresses, tokens: environment }, new Redactor(secrets));
const callOf = (parts: Partial<WebhookCall> = {}): WebhookCall => ({
  url: server.url,
  machineName: 'refunds',
  webhookTokenName: 'HOOK_TOKEN',
  body,
  timeoutMs: 20_000,
  ...parts,
});
const call = (parts: Partial<WebhookCall> = {}, signal = never) => caller().call(callOf(parts), signal);

const failure = (kind: string, retryable: boolean, words: string) => ({
  kind: 'failed',
  failure: { kind, retryable, message: expect.stringContaining(words), durationMs: expect.any(Number) },
});

describe('what goes over the wire', () => {
  it('is one POST of the JSON text of the body, with Basic authentication', async () => {
    server.enqueue(reply());
    await call({ url: `${server.url}?team=a%20b` });
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?team=a%20b', text: jsonText(body) });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`refunds:${TOKEN}`).toString('base64')}`,
    });
  });

  it('D-19: has the token that the environment holds at that moment, and an empty one when it holds none', async () => {
    const environment: NodeJS.ProcessEnv = {};
    const calling = caller('allow', environment);
    server.enqueue(reply(), reply());
    await calling.call(callOf(), never);
    environment['HOOK_TOKEN'] = TOKEN;
    await calling.call(callOf(), never);
    const sent = server.requests.map(({ headers }) => headers.authorization?.replace('Basic ', '') ?? '');
    expect(sent.map((auth) => Buffer.from(auth, 'base64').toString())).toEqual([
      'refunds:',
      `refunds:${TOKEN}`,
    ]);
  });

  it('goes to the host itself and ignores proxy variables', async () => {
    const proxy = 'http://127.0.0.1:1';
    const restore = setEnvironment({ HTTP_PROXY: proxy, http_proxy: proxy, NODE_USE_ENV_PROXY: '1' });
    server.enqueue(reply());
    const outcome = await call();
    restore();
    expect(outcome).toMatchObject({ kind: 'completed' });
  });
});

describe('a reply', () => {
  it('is recorded with chosen headers and the hash of its body, the credentials out', async () => {
    server.enqueue(reply({ headers: { 'x-request-id': 'r', 'set-cookie': 'a=b' }, body: '{"é":1}' }));
    expect(await call()).toEqual({
      kind: 'completed',
      reply: {
        status: 200,
        requestHeaders: {
          Accept: 'application/json, text/plain',
          Authorization: '[REDACTED]',
          'Content-Type': 'application/json',
          'User-Agent': 'redial',
        },
        responseHeaders: { 'x-request-id': 'r', date: expect.any(String) },
        body: { encoding: 'utf8', content: '{"é":1}', sha256: sha256('{"é":1}') },
        durationMs: expect.any(Number),
      },
    });
  });

  it.each([202, 204, 400, 401, 404, 421, 429, 500, 503])(
    'with status %d is completed, and asked for once',
    async (status) => {
      server.enqueue(reply({ status, body: status === 204 ? '' : 'x', headers: { 'retry-after': '0' } }));
      expect(await call()).toMatchObject({ kind: 'completed', reply: { status } });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    'that redirects (%d) is a reply; the token goes nowhere else',
    async (status) => {
      const other = await ScriptedWebhookServer.start();
      server.enqueue(reply({ status, headers: { location: other.url } }));
      expect(await call()).toMatchObject({ kind: 'completed', reply: { status } });
      expect(other.requests).toEqual([]);
      await other.close();
    },
  );

  it('is recorded after content decoding', async () => {
    server.enqueue(reply({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('{}') }));
    expect(await call()).toMatchObject({ reply: { body: { encoding: 'utf8', content: '{}' } } });
  });
});

describe('no whole reply', () => {
  it.each([
    ['a cut connection', droppedConnection()],
    ['half a body', partialReply('{"a"', 'drop')],
  ])('is a failure of the network: %s', async (_, scripted) => {
    server.enqueue(scripted);
    expect(await call()).toMatchObject(failure('network', true, ''));
  });

  it.each([
    ['silence', noAnswer()],
    ['half a body', partialReply('{"a"', 'hang')],
  ])('within the time limit is a timeout: %s', async (_, scripted) => {
    server.enqueue(scripted);
    expect(await call({ timeoutMs: 1_000 })).toMatchObject(failure('timeout', true, 'within 1000 ms'));
  });

  it('takes a time limit longer than timers can wait', async () => {
    server.enqueue(reply());
    expect(await call({ timeoutMs: 2 ** 40 })).toMatchObject({ kind: 'completed' });
  });

  it('that is too large cannot be taken', async () => {
    server.enqueue(reply({ body: Buffer.alloc(MAX_REPLY_BYTES + 1, 0x20) }));
    expect(await call()).toMatchObject(failure('unusable', false, 'larger than'));
  });

  it('with more than 500,000 values cannot be taken: its value would fill the memory, and its beginning is kept', async () => {
    const body = (values: number) => ` [${'[],'.repeat(values / 2 - 1)}[]]`;
    server.enqueue(
      reply({ body: body(500_000) }),
      reply({ body: body(500_002) }),
      reply({ body: `"${body(600_000)}"` }),
    );
    expect(await call()).toMatchObject({ kind: 'completed' });
    const refused = failure('unusable', false, 'more than 500000 objects, lists and members');
    const received = { status: 200, body: { content: body(500_002).slice(0, 262_144) } };
    expect(await call()).toMatchObject({ ...refused, received });
    expect(await call()).toMatchObject({ kind: 'completed' });
  });

  it('because the process stops is an interruption, before the call and during it', async () => {
    const stopping = new AbortController();
    server.enqueue(noAnswer());
    const outcome = call({}, stopping.signal);
    await server.received(1);
    stopping.abort();
    expect(await outcome).toEqual(failure('interrupted', true, 'given up'));
    expect(await call({}, stopping.signal)).toEqual(failure('interrupted', true, ''));
    expect(server.requests).toHaveLength(1);
  });
});

describe('addresses that are not public', () => {
  const refusedAt = (url: string) => caller('refuse').call(callOf({ url }), never);

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1', '127.1'])(
    'are refused where they stand in the URL, however they are spelled: %s',
    async (host) => {
      const outcome = await refusedAt(`http://${host}:${server.port}/hook`);
      expect(outcome).toEqual(failure('network', false, 'is not public'));
      expect(outcome).toEqual(failure('network', false, 'REDIAL_WEBHOOK_PRIVATE_ADDRESSES'));
      expect(server.requests).toEqual([]);
    },
  );

  it.each(['http:', 'https:'])(
    'are refused when a name leads to them, and are not told: %s',
    async (scheme) => {
      const outcome = await refusedAt(`${scheme}//localhost:${server.port}/hook`);
      expect(outcome).toEqual(failure('network', false, 'The address of "localhost" is not public'));
      expect(JSON.stringify(outcome)).not.toMatch(/127\.0\.0\.1|::1/);
      expect(server.requests).toEqual([]);
    },
  );

  it('may be called when the settings allow them', async () => {
    server.enqueue(reply());
    expect(await call({ url: `http://localhost:${server.port}/hook` })).toMatchObject({ kind: 'completed' });
  });

  it('are not the reason why an unknown name is refused', async () => {
    expect(await refusedAt('http://nobody.invalid/')).toEqual(failure('network', true, 'nobody.invalid'));
  });
});

describe('no secret is recorded', () => {
  const credentials = Buffer.from(`refunds:${TOKEN}`).toString('base64');

  it.each([
    ['the token', TOKEN],
    ['the token as JSON', JSON.stringify({ error: `bad token ${TOKEN}` })],
    ['the header', `Basic ${credentials}`],
    ['the header without its padding', credentials.replace(/=+$/, '')],
  ])('when the webhook echoes %s', async (_, echoed) => {
    server.enqueue(reply({ status: 401, body: echoed, headers: { 'x-request-id': echoed } }));
    const text = JSON.stringify(await call());
    expect(text).toContain('[REDACTED]');
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(credentials.slice(0, 20));
  });

  it('when it is another one that the process knows of', async () => {
    server.enqueue(reply({ body: 'key sk-canary-0123456789' }));
    const outcome = await caller('allow', {}, ['sk-canary-0123456789']).call(callOf(), never);
    expect(outcome).toMatchObject({ reply: { body: { content: 'key [REDACTED]' } } });
  });
});
