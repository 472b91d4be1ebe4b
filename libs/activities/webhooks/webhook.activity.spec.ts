import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookCall } from '#lib/call-rules';
import { Redactor } from '../redaction/redactor.js';
import { httpError, noAnswer, reply } from '../testing/scripted-reply.js';
import { ScriptedWebhookServer } from '../testing/scripted-webhook-server.js';
import { webhookActivity } from './webhook.activity.js';
import { WebhookCaller } from './webhook-caller.js';

const SECRET = 'sk-canary-0123456789';
const TOKEN = 'token-canary-0123456789';
const never = new AbortController().signal;

describe('a call of a webhook', () => {
  const activity = webhookActivity(
    new WebhookCaller(
      { privateAddresses: 'allow', tokens: { JUDGE_HOOK_TOKEN: TOKEN } },
      new Redactor([SECRET]),
    ),
  );
  let server: ScriptedWebhookServer;
  beforeEach(async () => {
    server = await ScriptedWebhookServer.start();
  });
  afterEach(() => server.close());

  function perform(timeoutMs = 20_000, signal = never) {
    const request: WebhookCall = {
      purpose: 'verdict',
      url: server.url,
      specialistId: 'judge',
      machineName: 'support',
      tokenName: 'JUDGE_HOOK_TOKEN',
      attempt: 1,
      timeoutMs,
      requestBody: { currentState: 'triage' },
    };
    const context = { runId: 'run', stepId: 'ask#1', signal, emit: () => undefined };
    return activity.perform(request, context, { input: null, facts: {}, context: null });
  }

  it('sends the body under the name of the machine and its token, and has no secret in the reply', async () => {
    server.enqueue(reply({ body: `{"reasoning":"${TOKEN} ${SECRET}"}` }));
    const outcome = await perform();
    const [{ headers, text } = { headers: {}, text: '' }] = server.requests;
    expect(text).toBe('{"currentState":"triage"}');
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`support:${TOKEN}`).toString('base64')}`);
    const body = { encoding: 'utf8', content: '{"reasoning":"[REDACTED] [REDACTED]"}' };
    expect(outcome).toMatchObject({ completed: { status: 200, body } });
    expect(JSON.stringify(outcome)).not.toMatch(/canary/);
  });

  it('is recorded with any status', async () => {
    server.enqueue(httpError(503, 'closed'));
    expect(await perform()).toMatchObject({ completed: { status: 503 } });
  });

  it('is given up after its time limit, and when the process stops', async () => {
    server.enqueue(noAnswer());
    expect(await perform(1_000)).toMatchObject({ failed: { failure: { kind: 'timeout' } } });
    server.enqueue(noAnswer());
    const stop = new AbortController();
    const outcome = perform(20_000, stop.signal);
    await server.received(2);
    stop.abort();
    expect(await outcome).toMatchObject({ failed: { failure: { kind: 'interrupted', retryable: true } } });
  });

  it('is found to be damaged when the body of its reply is not what the checksum is of', async () => {
    server.enqueue(reply({ body: 'Yes' }));
    const outcome = await perform();
    const data = 'completed' in outcome ? outcome.completed : {};
    const type = activity.events.completed;
    expect(activity.checkIntegrity({ type, data })).toBeUndefined();
    const body = { ...(data['body'] as object), content: 'No' };
    const damage = activity.checkIntegrity({ type, data: { ...data, body } });
    expect(damage).toMatchObject({ pointer: '/data/body/sha256' });
  });
});
