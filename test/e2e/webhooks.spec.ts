import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  droppedConnection,
  httpError,
  noAnswer,
  reply,
  type ScriptedReply,
  ScriptedWebhookServer,
  toolCall,
} from '#lib/activities/testing';
import type { Position } from '#lib/event-store';
import { refunds } from '../support/refunds.js';
import { RedialServer } from '../support/redial-server.js';

const TOKEN = 'hook-canary-0123456789';
const credentialsOf = (machineName: string) => Buffer.from(`${machineName}:${TOKEN}`).toString('base64');
const ALLOWED = { REFUNDS_WEBHOOK_TOKEN: TOKEN, REDIAL_WEBHOOK_PRIVATE_ADDRESSES: 'allow' };

const answer = (body: unknown) => reply({ body: JSON.stringify(body) });
const remote = (machineName: string, strategyWebhookUrl: string) => ({
  role: 'proposer',
  specialistId: 'remote',
  machineName,
  strategyWebhookUrl,
  webhookTokenName: 'REFUNDS_WEBHOOK_TOKEN',
});
const informed = (machineName: string, contextWebhookUrl: string) => ({
  role: 'proposer',
  specialistId: 'informed',
  machineName,
  contextWebhookUrl,
  webhookTokenName: 'REFUNDS_WEBHOOK_TOKEN',
  modelId: 'gpt-4o-mini',
});

type Setting = NonNullable<Parameters<typeof RedialServer.start>[0]>;

/** The servers of the tests, one for each setting: each is started when the first test needs it. */
const settings = {
  usual: { environment: ALLOWED },
  impatient: { environment: ALLOWED, options: { webhooks: { timeoutMs: 1_000 } } },
  persistent: { environment: ALLOWED, options: { webhooks: { maxAttempts: 2 } } },
  guarded: { environment: { ...ALLOWED, REDIAL_WEBHOOK_PRIVATE_ADDRESSES: undefined } },
} satisfies Record<string, Setting>;

describe('proposers behind webhooks', () => {
  const servers = new Map<keyof typeof settings, RedialServer>();
  let server: RedialServer;
  let hook: ScriptedWebhookServer;
  let machineName: string;
  let begin: Position | undefined;

  /** A machine of a test's own, and a session of it. */
  async function start(
    hooks: readonly ScriptedReply[],
    setting: keyof typeof settings = 'usual',
  ): Promise<string> {
    hook = await ScriptedWebhookServer.start(hooks);
    server = servers.get(setting) ?? (await RedialServer.start(settings[setting]));
    servers.set(setting, server);
    machineName = `refunds-${randomUUID()}`;
    begin = await server.log.store.head();
    await server.post('/v1/machines', { ...refunds, machineName });
    const { body } = await server.post('/v1/sessions', { machineName, metaJson: { text: 'Broken cup' } });
    return (body as { sessionId: string }).sessionId;
  }

  afterEach(() => hook.close());
  afterAll(async () => {
    // The last first: each puts the environment back as it was before it.
    for (const one of [...servers.values()].toReversed()) await one.stop();
  });

  const ask = (sessionId: string, specialistId: string) =>
    server.post(`/v1/sessions/${sessionId}/proposals`, { specialistId });

  /** Each story leaves a log that replays identically, and holds no token. */
  async function expectSoundLog(sessionId: string, types: readonly string[]): Promise<void> {
    const report = await server.post(`/v1/sessions/${sessionId}/replay`);
    expect(report.body).toMatchObject({ identical: true, open: 0, divergences: [] });
    const events = await server.log.store.readAll({
      limit: 1000,
      ...(begin !== undefined && { from: begin }),
    });
    const own = events.filter(({ stream }) => stream.includes('_solicitation-'));
    expect(own.map(({ type }) => type)).toEqual(types);
    const text = JSON.stringify(events);
    for (const secret of [TOKEN, credentialsOf(machineName).replace(/=+$/, '')])
      expect(text).not.toContain(secret);
  }

  it('D-19: get the context with Basic authentication, and their answer is the proposal', async () => {
    const said = {
      transitionName: 'approve',
      reasoning: 'It broke.',
      metaJson: { amount: 12 },
      costUSD: 0.5,
    };
    const sessionId = await start([answer(said)]);
    const registered = await server.post('/v1/specialists', remote(machineName, hook.url));
    expect(registered).toMatchObject({
      status: 201,
      body: { ...remote(machineName, hook.url), enabled: true },
    });
    const proposal = await ask(sessionId, 'remote');
    expect(proposal).toMatchObject({ status: 201, body: { ...said, toState: 'closed' } });
    expect(hook.requests).toHaveLength(1);
    expect(hook.requests[0]?.headers.authorization).toBe(`Basic ${credentialsOf(machineName)}`);
    expect(hook.requests[0]?.body).toEqual({
      sessionId,
      machineName,
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
    const sessionId = await start([answer('The cup "broke".')]);
    server.llm.enqueue(toolCall('approve', { amount: 3 }));
    await server.post('/v1/specialists', informed(machineName, hook.url));
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
    const { machineName: name, ...declared } = remote(`${machineName}-declared`, hook.url);
    const machine = { ...refunds, machineName: name, specialists: [declared] };
    const defined = await server.post('/v1/machines', machine);
    expect(defined.status).toBe(201);
    const { sessionId } = (await server.post('/v1/sessions', { machineName: name })).body;
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
  ])('D-19: that answer with %s gave no proposal: 502', async (_, scripted, problem) => {
    const sessionId = await start([scripted]);
    await server.post('/v1/specialists', remote(machineName, hook.url));
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

  it.each<[string, ScriptedReply, keyof typeof settings, string]>([
    ['not in time', noAnswer(), 'impatient', 'timeout'],
    ['not at all', droppedConnection(), 'usual', 'network'],
  ])('that answer %s gave no proposal: 502', async (_, scripted, setting, kind) => {
    const sessionId = await start([scripted], setting);
    await server.post('/v1/specialists', remote(machineName, hook.url));
    expect(await ask(sessionId, 'remote')).toMatchObject({ status: 502, body: { kind } });
    await expectSoundLog(sessionId, [
      'WorkflowStarted',
      'WebhookCallRequested',
      'WebhookCallFailed',
      'WorkflowEnded',
    ]);
  });

  it('are not followed when they redirect, and the token goes nowhere else', async () => {
    const other = await ScriptedWebhookServer.start();
    const sessionId = await start([reply({ status: 307, headers: { location: other.url } })]);
    await server.post('/v1/specialists', remote(machineName, hook.url));
    const failed = await ask(sessionId, 'remote');
    expect(failed).toMatchObject({ status: 502, body: { kind: 'http-error', upstreamStatus: 307 } });
    expect(failed.text).toContain('redirects are not followed');
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '2130706433'])(
    'are not called at %s unless the settings allow private addresses',
    async (host) => {
      const sessionId = await start([], 'guarded');
      await server.post('/v1/specialists', remote(machineName, hook.url.replace('127.0.0.1', host)));
      const failed = await ask(sessionId, 'remote');
      expect(failed).toMatchObject({ status: 502, body: { kind: 'network' } });
      expect(failed.text).toContain('REDIAL_WEBHOOK_PRIVATE_ADDRESSES');
      expect(hook.requests).toEqual([]);
    },
  );

  it('are asked again when retries are switched on, each attempt a call of its own', async () => {
    const later = reply({ status: 503, headers: { 'retry-after': '0' } });
    const sessionId = await start([later, answer({ transitionName: 'escalate' })], 'persistent');
    await server.post('/v1/specialists', remote(machineName, hook.url));
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
    const refused = await server.post('/v1/specialists', { ...remote(machineName, hook.url), ...members });
    expect(refused).toMatchObject({ status: 422, body: { code: 'execution-mode' } });
  });
});
