import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import type { ProposerContext } from '#lib/session';
import type { ProposerMode, SolicitationEvent, SolicitationStarted } from '#lib/solicitation';
import { type ContextFn, ProposerFunctions, type StrategyFn } from './functions/proposer-functions.js';
import type { LlmConfig } from './llm/llm-config.js';
import { SolicitationActivities } from './solicitation-activities.js';
import { reply, ScriptedLlmServer, ScriptedWebhookServer, setEnvironment, text } from './testing/index.js';
import { WebhookCaller } from './webhooks/webhook-caller.js';

const KEY = 'sk-canary-0123456789';
const BASE = 'https://host/v1';
const context: ProposerContext = {
  sessionId: 's',
  currentState: 'review',
  prompt: '',
  transitions: { approve: { target: 'approved' } },
  history: [],
};
const model = (parts: Partial<Extract<ProposerMode, { kind: 'model' }>> = {}): ProposerMode => ({
  kind: 'model',
  context: { contextTemplate: 'hi' },
  rawModelId: 'gpt-x',
  modelId: 'gpt-x',
  flags: {},
  useTools: true,
  baseUrl: BASE,
  ...parts,
});
const strategy = (strategyFnName: string): ProposerMode => ({ kind: 'strategy', strategyFnName });
const started = (proposer: ProposerMode): SolicitationStarted => ({
  type: 'SolicitationStarted',
  data: {
    solicitationId: 'sol',
    sessionId: 's',
    roundId: 'r',
    specialistId: 'ai',
    specialistVersion: 1,
    workflowVersion: 1,
    proposer,
    policies: { maxAttempts: 1, callTimeoutMs: 1000 },
    context,
  },
});
const activities = (config: LlmConfig, functions = new ProposerFunctions()) =>
  new SolicitationActivities(config, functions);
const strategyRequest = (strategyFnName: string): SolicitationEvent => ({
  type: 'StrategyCallRequested',
  data: { callId: 'c', strategyFnName },
});
const contextRequest = (contextFnName: string): SolicitationEvent => ({
  type: 'ContextRequested',
  data: { callId: 'c', contextFnName },
});
const llmRequest = (baseUrl: string): SolicitationEvent => ({
  type: 'LlmCallRequested',
  data: {
    callId: 'c',
    rung: 'text',
    attempt: 1,
    delayMs: 0,
    timeoutMs: 20_000,
    requestUrl: `${baseUrl}/chat/completions`,
    requestBody: { model: 'm' },
  },
});

describe('preflight', () => {
  const configured = activities(
    { apiKey: KEY, baseUrl: `${BASE}/` },
    new ProposerFunctions().registerContext('facts', () => ''),
  );
  const refused = (...words: string[]) => ({
    rejected: 'refused',
    code: 'configuration',
    message: expect.stringMatching(new RegExp(words.join('.*'))),
  });

  it.each<[string, ProposerMode]>([
    ['a built-in strategy', strategy('firstAvailable')],
    ['a model with a template', model()],
    ['a model with a registered context function', model({ context: { contextFnName: 'facts' } })],
  ])('has nothing against %s', (_, proposer) => {
    expect(configured.preflightProposer(proposer)).toBeUndefined();
  });

  it('needs no key for a strategy', () => {
    expect(activities({ baseUrl: BASE }).preflightProposer(strategy('random'))).toBeUndefined();
  });

  it.each<[string, SolicitationActivities, ProposerMode, SolicitationEvent, object]>([
    [
      'a model without a key',
      activities({ baseUrl: BASE }),
      model(),
      llmRequest(BASE),
      refused('OPENAI_API_KEY'),
    ],
    [
      'a model elsewhere',
      configured,
      model({ baseUrl: 'https://other/v1' }),
      llmRequest('https://other/v1'),
      refused('https://other/v1', 'https://host/v1'),
    ],
    [
      'an unknown strategy',
      configured,
      strategy('constructor'),
      strategyRequest('constructor'),
      refused('"constructor"', '"firstAvailable"'),
    ],
    [
      'an unknown context function',
      configured,
      model({ context: { contextFnName: 'news' } }),
      contextRequest('news'),
      refused('"news"', '"facts"'),
    ],
  ])('refuses %s, before the start and before the request', (_, tested, proposer, request, expected) => {
    expect(tested.preflightProposer(proposer)).toEqual(expected);
    expect(tested.forSolicitation(started(proposer)).preflight(request)).toEqual(expected);
  });
});

describe('functions', () => {
  const perform = (
    functions: ProposerFunctions,
    request: SolicitationEvent,
    signal = new AbortController().signal,
  ) =>
    activities({ apiKey: KEY, baseUrl: BASE }, functions)
      .forSolicitation(started(strategy('mine')))
      .perform(request, signal);
  const withStrategy = (fn: (context: ProposerContext) => unknown) =>
    perform(new ProposerFunctions().registerStrategy('mine', fn as StrategyFn), strategyRequest('mine'));
  const withContext = (fn: (context: ProposerContext) => unknown) =>
    perform(new ProposerFunctions().registerContext('mine', fn as ContextFn), contextRequest('mine'));

  it('get the context of the start event, as their own copy', async () => {
    const seen: ProposerContext[] = [];
    await withStrategy((given) => {
      seen.push(structuredClone(given));
      Object.assign(given.transitions, { more: { target: 'x' } });
      return { transitionName: 'approve' };
    });
    expect(seen).toEqual([context]);
    expect(Object.keys(context.transitions)).toEqual(['approve']);
  });

  it('give what they return, at once or later', async () => {
    const result: Json = { transitionName: 'approve', metaJson: { a: 1 } };
    const completed = {
      type: 'StrategyCallCompleted',
      data: { callId: 'c', result, durationMs: expect.any(Number) },
    };
    expect(await withStrategy(() => result)).toEqual(completed);
    expect(await withStrategy(() => Promise.resolve(result))).toEqual(completed);
    expect(await withContext(() => 'the facts')).toEqual({
      type: 'ContextCompleted',
      data: { callId: 'c', text: 'the facts', durationMs: expect.any(Number) },
    });
  });

  it('that throw fail with their message, without a stack and without secrets', async () => {
    const thrown = () => {
      throw new Error(`no luck with ${KEY}`);
    };
    const failure = {
      kind: 'function',
      message: 'no luck with [REDACTED]',
      retryable: false,
      durationMs: expect.any(Number),
    };
    expect(await withStrategy(thrown)).toEqual({
      type: 'StrategyCallFailed',
      data: { callId: 'c', failure },
    });
    expect(await withContext(async () => thrown())).toEqual({
      type: 'ContextFailed',
      data: { callId: 'c', failure },
    });
  });

  it.each<[unknown, string]>([
    ['just words', 'just words'],
    [undefined, 'undefined'],
    [Object.create(null), 'Something that has no words was thrown.'],
  ])('that throw no error fail all the same', async (thrown, message) => {
    expect(await withStrategy(() => Promise.reject(thrown))).toMatchObject({
      data: { failure: { kind: 'function', message } },
    });
  });

  it('that return what is not JSON, or no text, fail and say so', async () => {
    expect(await withStrategy(() => ({ at: new Date(0) }))).toMatchObject({
      data: { failure: { kind: 'function', message: expect.stringContaining('not JSON: /at') } },
    });
    expect(await withContext(() => 7)).toMatchObject({
      data: { failure: { kind: 'function', message: expect.stringContaining('must return text') } },
    });
  });

  it('have secrets taken out of what they return', async () => {
    expect(await withStrategy(() => ({ transitionName: KEY }))).toMatchObject({
      data: { result: { transitionName: '[REDACTED]' } },
    });
    expect(await withContext(() => `key ${KEY}`)).toMatchObject({ data: { text: 'key [REDACTED]' } });
  });

  it('that do not answer are given up when the signal comes, and not begun after it', async () => {
    const shutdown = new AbortController();
    const calls: string[] = [];
    const hanging = new ProposerFunctions().registerStrategy('mine', () => {
      calls.push('begun');
      return new Promise(() => undefined);
    });
    const outcome = perform(hanging, strategyRequest('mine'), shutdown.signal);
    shutdown.abort();
    expect(await outcome).toMatchObject({
      type: 'StrategyCallFailed',
      data: { failure: { kind: 'interrupted' } },
    });
    expect(await perform(hanging, strategyRequest('mine'), shutdown.signal)).toMatchObject({
      data: { failure: { kind: 'interrupted' } },
    });
    expect(calls).toEqual(['begun']);
  });
});

describe('calls of webhooks', () => {
  const url = 'http://127.0.0.1:9/hook';
  const webhook: ProposerMode = { kind: 'webhook', strategyWebhookUrl: url, webhookTokenName: 'HOOK_TOKEN' };
  const informed = { contextWebhookUrl: url, webhookTokenName: 'HOOK_TOKEN' };
  const request = (server: string): SolicitationEvent => ({
    type: 'WebhookCallRequested',
    data: {
      callId: 'c',
      purpose: 'strategy',
      attempt: 1,
      delayMs: 0,
      timeoutMs: 20_000,
      url: server,
      requestBody: { ...context, machineName: 'refunds' },
    },
  });

  it('need nothing of the process, unless a model is told what they answer', () => {
    expect(activities({ baseUrl: BASE }).preflightProposer(webhook)).toBeUndefined();
    expect(activities({ baseUrl: BASE }).preflightProposer(model({ context: informed }))).toMatchObject({
      code: 'configuration',
    });
  });

  it.each<[string, ProposerMode]>([
    ['choose', webhook],
    ['inform a model', model({ context: informed })],
  ])(
    'that %s send the context under the name of the machine and the token that the start names',
    async (_, proposer) => {
      const server = await ScriptedWebhookServer.start([reply({ body: '{}' })]);
      const restore = setEnvironment({ HOOK_TOKEN: 'hook-canary-0123456789' });
      const caller = new WebhookCaller({ privateAddresses: 'allow', tokens: process.env });
      const performing = new SolicitationActivities({ baseUrl: BASE }, new ProposerFunctions(), [], caller);
      const outcome = await performing
        .forSolicitation(started(proposer))
        .perform(request(server.url), new AbortController().signal);
      restore();
      await server.close();
      expect(outcome).toMatchObject({ type: 'WebhookCallCompleted', data: { callId: 'c', status: 200 } });
      const [sent] = server.requests;
      expect(sent?.body).toEqual({ ...context, machineName: 'refunds' });
      const credentials = Buffer.from('refunds:hook-canary-0123456789').toString('base64');
      expect(sent?.headers.authorization).toBe(`Basic ${credentials}`);
    },
  );

  it('go to no private address unless somebody said so', async () => {
    const performing = activities({ baseUrl: BASE }).forSolicitation(started(webhook));
    expect(await performing.perform(request(url), new AbortController().signal)).toMatchObject({
      type: 'WebhookCallFailed',
      data: { callId: 'c', failure: { kind: 'network', retryable: false } },
    });
  });
});

describe('calls of models', () => {
  let server: ScriptedLlmServer;
  beforeEach(async () => {
    server = await ScriptedLlmServer.start([text('hello')]);
  });
  afterEach(() => server.close());

  it('go to the configured API, and come back as outcomes', async () => {
    const performing = activities({ apiKey: KEY, baseUrl: server.baseUrl }).forSolicitation(
      started(model({ baseUrl: server.baseUrl })),
    );
    const outcome = await performing.perform(llmRequest(server.baseUrl), new AbortController().signal);
    expect(outcome).toMatchObject({ type: 'LlmCallCompleted', data: { callId: 'c', status: 200 } });
  });
});

it('refuses to perform what is no request', async () => {
  const performing = activities({ baseUrl: BASE }).forSolicitation(started(strategy('random')));
  await expect(performing.perform(started(strategy('random')), new AbortController().signal)).rejects.toThrow(
    'SolicitationStarted is no request',
  );
});
