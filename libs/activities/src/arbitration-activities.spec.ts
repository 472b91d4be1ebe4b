import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ArbiterCall, ArbiterCallee, ArbitrationEvent, ArbitrationStarted } from '#lib/arbitration';
import { arbitrationStarted, byFunction, context } from '#lib/arbitration/testing';
import { ArbitrationActivities } from './arbitration-activities.js';
import { type ArbiterFn, ArbiterFunctions } from './functions/arbiter-functions.js';
import { httpError, noAnswer, reply, ScriptedWebhookServer } from './testing/index.js';
import { WebhookCaller } from './webhooks/webhook-caller.js';

const SECRET = 'sk-canary-0123456789';
const TOKEN = 'token-canary-0123456789';
const never = new AbortController().signal;
const byName = (strategyFnName: string): ArbiterCallee => ({ kind: 'function', strategyFnName });

function activities(functions = new ArbiterFunctions()): ArbitrationActivities {
  const environment = { JUDGE_TOKEN: TOKEN };
  const webhooks = new WebhookCaller({ privateAddresses: 'allow', tokens: environment }, [SECRET]);
  return new ArbitrationActivities(functions, webhooks, [SECRET]);
}

const judgedBy = (arbiter: ArbiterFn) =>
  activities(new ArbiterFunctions().registerArbiter('majority', arbiter));

function request(call: ArbiterCall, delayMs = 0, timeoutMs = 20_000): ArbitrationEvent {
  return { type: 'ArbiterCallRequested', data: { callId: 'c', attempt: 1, delayMs, timeoutMs, ...call } };
}

function perform(
  tested: ArbitrationActivities,
  start: ArbitrationStarted,
  asked: ArbitrationEvent,
  signal = never,
): Promise<ArbitrationEvent> {
  return tested.forArbitration(start).perform(asked, signal);
}

const callFunction = (arbiter: ArbiterFn, { delayMs = 0, timeoutMs = 20_000, signal = never } = {}) =>
  perform(
    judgedBy(arbiter),
    arbitrationStarted(byFunction),
    request({ strategyFnName: 'majority' }, delayMs, timeoutMs),
    signal,
  );

describe('preflight of an arbitration', () => {
  const tested = activities(
    new ArbiterFunctions().registerArbiter('majority', () => ({ consensusReached: false })),
  );

  it.each<[string, ArbiterCallee]>([
    ['a registered function', byFunction],
    ['a webhook', { kind: 'webhook', url: 'https://judge.test', tokenName: 'UNSET' }],
  ])('has nothing against %s', (_, arbiter) => {
    expect(tested.preflightArbiter(arbiter)).toBeUndefined();
  });

  it.each(['constructor', 'committee'])('refuses the function "%s", which is not registered', (name) => {
    const refusal = {
      rejected: 'refused',
      code: 'configuration',
      message: expect.stringMatching(new RegExp(`"${name}".*"majority"`)),
    };
    expect(tested.preflightArbiter(byName(name))).toEqual(refusal);
    const start = arbitrationStarted(byName(name));
    expect(tested.forArbitration(start).preflight(request({ strategyFnName: name }))).toEqual(refusal);
  });
});

describe('an arbiter that is a function', () => {
  it('gets a copy of the context of the start event, and what it returns is recorded as it is', async () => {
    const seen: unknown[] = [];
    const outcome = await callFunction((given) => {
      seen.push(structuredClone(given));
      Object.assign(given, { proposals: [] });
      return { consensusReached: true, winningProposalId: 'proposal-1', extra: undefined };
    });
    expect(seen).toEqual([context]);
    expect(context.proposals).toHaveLength(1);
    expect(outcome).toEqual({
      type: 'ArbiterCallCompleted',
      data: {
        callId: 'c',
        result: { consensusReached: true, winningProposalId: 'proposal-1' },
        durationMs: expect.any(Number),
      },
    });
  });

  it('has no secret in what it returns or throws', async () => {
    const returned = await callFunction(() => ({ consensusReached: false, reasoning: `by ${SECRET}` }));
    expect(returned.data).toMatchObject({ result: { reasoning: 'by [REDACTED]' } });
    const thrown = await callFunction(() => {
      throw new Error(`bad key ${SECRET}`);
    });
    expect(thrown).toMatchObject({
      type: 'ArbiterCallFailed',
      data: { callId: 'c', failure: { kind: 'function', message: 'bad key [REDACTED]', retryable: false } },
    });
  });

  it('fails where it returns what is no plain JSON, or what is registered no more', async () => {
    const odd = await callFunction((() => new Date()) as () => never);
    expect(odd).toMatchObject({
      data: { failure: { kind: 'function', message: expect.stringContaining('an instance of Date') } },
    });
    const gone = await perform(activities(), arbitrationStarted(), request({ strategyFnName: 'majority' }));
    expect(gone).toMatchObject({ data: { failure: { message: expect.stringContaining('not registered') } } });
  });

  it('is given up after its time limit, and when the process stops', async () => {
    const silent: ArbiterFn = () => new Promise(() => undefined);
    expect(await callFunction(silent, { timeoutMs: 1 })).toMatchObject({
      data: { failure: { kind: 'timeout', retryable: false } },
    });
    const calls: unknown[] = [];
    const stopped = { signal: AbortSignal.abort(), delayMs: 60_000 };
    const outcome = await callFunction((given) => {
      calls.push(given);
      return { consensusReached: false };
    }, stopped);
    expect(outcome).toMatchObject({ data: { failure: { kind: 'interrupted', retryable: true } } });
    expect(calls).toEqual([]);
  });
});

describe('an arbiter behind a webhook', () => {
  let server: ScriptedWebhookServer;
  beforeEach(async () => {
    server = await ScriptedWebhookServer.start();
  });
  afterEach(() => server.close());

  const call = (timeoutMs = 20_000, signal = never) => {
    const arbiter = { kind: 'webhook', url: server.url, tokenName: 'JUDGE_TOKEN' } as const;
    const asked = request({ url: server.url, requestBody: context }, 0, timeoutMs);
    return perform(activities(), arbitrationStarted(arbiter), asked, signal);
  };

  it('is sent the context under the name of the machine and its token, and its reply is recorded without secrets', async () => {
    server.enqueue(reply({ body: `{"consensusReached":false,"reasoning":"${TOKEN} ${SECRET}"}` }));
    const outcome = await call();
    const [{ headers, text } = { headers: {}, text: '' }] = server.requests;
    expect(text).toBe(JSON.stringify(context));
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`support:${TOKEN}`).toString('base64')}`);
    expect(outcome).toMatchObject({
      type: 'ArbiterCallCompleted',
      data: {
        callId: 'c',
        status: 200,
        body: { encoding: 'utf8', content: '{"consensusReached":false,"reasoning":"[REDACTED] [REDACTED]"}' },
      },
    });
    expect(JSON.stringify(outcome)).not.toMatch(/canary/);
  });

  it('is recorded with any status', async () => {
    server.enqueue(httpError(503, 'closed'));
    expect(await call()).toMatchObject({ type: 'ArbiterCallCompleted', data: { status: 503 } });
  });

  it('is given up after its time limit, and when the process stops', async () => {
    server.enqueue(noAnswer());
    expect(await call(20)).toMatchObject({
      type: 'ArbiterCallFailed',
      data: { callId: 'c', failure: { kind: 'timeout' } },
    });
    server.enqueue(noAnswer());
    const stop = new AbortController();
    const outcome = call(20_000, stop.signal);
    await server.received(2);
    stop.abort();
    expect(await outcome).toMatchObject({ data: { failure: { kind: 'interrupted' } } });
  });
});
