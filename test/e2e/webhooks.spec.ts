import { afterEach, describe, expect, it } from '@jest/globals';
import {
  droppedConnection,
  httpError,
  noAnswer,
  reply,
  type ScriptedReply,
  ScriptedWebhookServer,
  toolCall,
} from '#lib/activities/testing';
import type { RedialOptions } from '#lib/engine';
import { openRefund, refunds } from '../support/refunds.js';
import { RedialServer } from '../support/redial-server.js';

const TOKEN = 'hook-canary-0123456789';
const CREDENTIALS = Buffer.from(`refunds:${TOKEN}`).toString('base64');
const ALLOWED = { REFUNDS_WEBHOOK_TOKEN: TOKEN, REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' };

const answer = (body: unknown) => reply({ body: JSON.stringify(body) });
const remote = (strategyWebhookUrl: string) => ({
  role: 'proposer',
  specialistId: 'remote',
  machineName: 'refunds',
  strategyWebhookUrl,
  webhookTokenName: 'REFUNDS_WEBHOOK_TOKEN',
});
const informed = (contextWebhookUrl: string) => ({
  role: 'proposer',
  specialistId: 'informed',
  machineName: 'refunds',
  contextWebhookUrl,
  webhookTokenName: 'REFUNDS_WEBHOOK_TOKEN',
  modelId: 'gpt-4o-mini',
});

describe('proposers behind webhooks', () => {
  let server: RedialServer;
  let hook: ScriptedWebhookServer;

  async function start(
    hooks: readonly ScriptedReply[],
    parts: {
      readonly script?: readonly ScriptedReply[];
      readonly environment?: Readonly<Record<string, string | undefined>>;
      readonly options?: RedialOptions;
    } = {},
  ): Promise<string> {
    hook = await ScriptedWebhookServer.start(hooks);
    server = await RedialServer.start({ environment: ALLOWED, ...parts });
    return openRefund(server);
  }

  afterEach(async () => {
    await server.stop();
    await hook.close();
  });

  const ask = (sessionId: string, specialistId: string) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId });

  /** Each story leaves a log that replays identically, and holds no token. */
  async function expectSoundLog(sessionId: string, types: readonly string[]): Promise<void> {
    const report = await server.post(`/v1/sessions/${sessionId}/replay`);
    expect(report.body).toMatchObject({ identical: true, open: 0, divergences: [] });
    const events = await server.log.store.readAll({ limit: 1000 });
    const own = events.filter(({ stream }) => stream.includes('_solicitation-'));
    expect(own.map(({ type }) => type)).toEqual(types);
    const text = JSON.stringify(events);
    for (const secret of [TOKEN, CREDENTIALS.replace(/=+$/, '')]) expect(text).not.toContain(secret);
  }

  it('get the context with Basic authentication, and their answer is the proposal', async () => {
    const said = {
      transitionName: 'approve',
      reasoning: 'It broke.',
      metaJson: { amount: 12 },
      costUSD: 0.5,
    };
    const sessionId = await start([answer(said)]);
    const registered = await server.post('/v1/specialists', remote(hook.url));
    expect(registered).toMatchObject({ status: 201, body: { ...remote(hook.url), enabled: true } });
    const proposal = await ask(sessionId, 'remote');
    expect(proposal).toMatchObject({ status: 201, body: { ...said, toState: 'closed' } });
    expect(hook.requests).toHaveLength(1);
    expect(hook.requests[0]?.headers.authorization).toBe(`Basic ${CREDENTIALS}`);
    expect(hook.requests[0]?.body).toEqual({
      sessionId,
      machineName: 'refunds',
      currentState: 'triage',
      prompt: 'What should happen with this request?',
      transitions: { approve: refunds.states.triage.transitions.approve, escalate: { target: 'review' } },
      history: [],
      metaJson: { text: 'Broken cup' },
    });
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'WorkflowEnded',
    ]);
  });

  it('may make the context of a model instead', async () => {
    const script = [toolCall('approve', { amount: 3 })];
    const sessionId = await start([answer('The cup "broke".')], { script });
    await server.post('/v1/specialists', informed(hook.url));
    expect(await ask(sessionId, 'informed')).toMatchObject({
      status: 201,
      body: { transitionName: 'approve', metaJson: { amount: 3 } },
    });
    expect(server.llm.requests[0]?.text).toContain(String.raw`The cup \"broke\".`);
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
    ]);
  });

  it('may come with the machine', async () => {
    await start([answer({ transitionName: 'escalate' })]);
    const { machineName, ...declared } = remote(hook.url);
    const defined = await server.post('/v1/machines', { ...refunds, specialists: [declared] });
    expect(defined.status).toBe(201);
    const { sessionId } = (await server.post('/v1/sessions', { machineName })).body;
    expect(await ask(sessionId, 'remote')).toMatchObject({ status: 201, body: { toState: 'review' } });
  });

  it.each<[string, ScriptedReply, object]>([
    ['202', reply({ status: 202 }), { kind: 'unusable-reply', upstreamStatus: 202 }],
    [
      '500 with a body',
      httpError(500, 'out of order'),
      {
        kind: 'http-error',
        upstreamStatus: 500,
        detail: expect.stringContaining('Webhook error (500): out of order'),
      },
    ],
    ['no JSON', reply({ body: 'approve it' }), { kind: 'unusable-reply', upstreamStatus: 200 }],
    ['a transition that is not offered', answer({ transitionName: 'burn' }), { kind: 'invalid-choice' }],
    ['another target', answer({ transitionName: 'approve', toState: 'review' }), { kind: 'invalid-choice' }],
    ['the token', httpError(401, `no such token: ${TOKEN}`), { upstreamStatus: 401 }],
  ])('that answer with %s gave no proposal: 502', async (_, scripted, problem) => {
    const sessionId = await start([scripted]);
    await server.post('/v1/specialists', remote(hook.url));
    const failed = await ask(sessionId, 'remote');
    expect(failed).toMatchObject({ status: 502, body: { code: 'proposer-failed', ...problem } });
    expect(failed.text).not.toContain(TOKEN);
    expect(hook.requests).toHaveLength(1);
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'WorkflowEnded',
    ]);
  });

  it.each<[string, ScriptedReply, RedialOptions['webhooks'], string]>([
    ['not in time', noAnswer(), { timeoutMs: 1_000 }, 'timeout'],
    ['not at all', droppedConnection(), {}, 'network'],
  ])('that answer %s gave no proposal: 502', async (_, scripted, webhooks, kind) => {
    const sessionId = await start([scripted], { options: { webhooks } });
    await server.post('/v1/specialists', remote(hook.url));
    expect(await ask(sessionId, 'remote')).toMatchObject({ status: 502, body: { kind } });
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallFailed',
      'WorkflowEnded',
    ]);
  });

  it('are not followed where they redirect, and the token goes nowhere else', async () => {
    const other = await ScriptedWebhookServer.start();
    const sessionId = await start([reply({ status: 307, headers: { location: other.url } })]);
    await server.post('/v1/specialists', remote(hook.url));
    const failed = await ask(sessionId, 'remote');
    expect(failed).toMatchObject({ status: 502, body: { kind: 'http-error', upstreamStatus: 307 } });
    expect(failed.text).toContain('redirects are not followed');
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '2130706433'])(
    'are not called at %s unless the settings allow private addresses',
    async (host) => {
      const environment = { ...ALLOWED, REDIAL_WEBHOOK_PRIVATE_ADDRESSES: undefined };
      const sessionId = await start([], { environment });
      await server.post('/v1/specialists', remote(hook.url.replace('127.0.0.1', host)));
      const failed = await ask(sessionId, 'remote');
      expect(failed).toMatchObject({ status: 502, body: { kind: 'network' } });
      expect(failed.text).toContain('REDIAL_WEBHOOK_PRIVATE_ADDRESSES');
      expect(hook.requests).toEqual([]);
    },
  );

  it('are asked again where retries are switched on, each attempt a call of its own', async () => {
    const options = { webhooks: { maxAttempts: 2 } };
    const later = reply({ status: 503, headers: { 'retry-after': '0' } });
    const sessionId = await start([later, answer({ transitionName: 'escalate' })], { options });
    await server.post('/v1/specialists', remote(hook.url));
    expect(await ask(sessionId, 'remote')).toMatchObject({ status: 201 });
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'WebhookCallRequested',
      'WebhookCallCompleted',
      'WorkflowEnded',
    ]);
  });

  it.each([
    ['no http URL', { strategyWebhookUrl: 'ftp://hooks.example/' }],
    ['credentials in its URL', { strategyWebhookUrl: 'https://me:secret@hooks.example/' }],
    ['no token', { webhookTokenName: undefined }],
    ['another secret as its token', { webhookTokenName: 'OPENAI_API_KEY' }],
    ['a model besides', { modelId: 'gpt-4o-mini' }],
  ])('are not registered with %s: 422', async (_, members) => {
    await start([]);
    const refused = await server.post('/v1/specialists', { ...remote(hook.url), ...members });
    expect(refused).toMatchObject({ status: 422, body: { code: 'execution-mode' } });
  });
});
