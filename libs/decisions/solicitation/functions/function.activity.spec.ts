import { describe, expect, it } from '@jest/globals';
import type { CallContext } from '#lib/workflow';
import type { FunctionCall } from '#lib/call-rules';
import { functionActivity, Redactor, type WorkflowFn } from '#lib/activities';
import { type ArbiterFn, ArbiterFunctions } from '#lib/decisions/arbitration';
import { ProposerFunctions } from './proposer-functions.js';
import { registeredFunctions } from './registered-functions.js';

const SECRET = 'sk-canary-0123456789';
const GIVEN = { input: null, facts: {}, context: null };
const never = new AbortController().signal;

function activity(quote: WorkflowFn = () => 7, majority: ArbiterFn = () => ({ consensusReached: false })) {
  const proposers = new ProposerFunctions()
    .registerStrategy('cheapest', () => ({ transitionName: 'buy' }))
    .registerContext('weather', () => 'It rains.');
  const arbiters = new ArbiterFunctions().registerArbiter('majority', majority);
  return functionActivity(registeredFunctions({ quote }, proposers, arbiters), new Redactor([SECRET]));
}

function perform(fn: WorkflowFn, request: Partial<FunctionCall> = {}, signal = never) {
  const asked = { fnName: 'quote', input: { item: 'chair' }, ...request };
  return activity(fn).perform(asked, contextOf(signal), GIVEN);
}

function contextOf(signal: AbortSignal): CallContext {
  return { runId: 'run', stepId: 'ask#1', signal, emit: () => undefined };
}

const throws = () => {
  throw new Error('busy');
};

describe('a call of a function', () => {
  it.each([
    ['quote', undefined],
    ['cheapest', 'strategy'],
    ['weather', 'context'],
    ['majority', 'verdict'],
  ] as const)('can be made of %s, registered for %s', (fnName, purpose) => {
    const request = { fnName, input: null, ...(purpose && { purpose }) };
    expect(activity().preflight(request)).toBeUndefined();
  });

  it.each([
    ['cheapest', 'verdict', 'arbiter "cheapest"'],
    ['constructor', 'function', 'function "constructor"'],
    ['quote', 'strategy', 'strategy "quote"'],
  ] as const)('cannot be made of %s for %s: none is registered for that', (fnName, purpose, what) => {
    const message = expect.stringContaining(what);
    const refusal = { rejected: 'refused', code: 'configuration', message };
    expect(activity().preflight({ fnName, purpose, input: null })).toEqual(refusal);
  });

  it('gives the function a copy of the input, and records what it returns as JSON', async () => {
    const input = { item: 'chair' };
    const outcome = await perform(
      (given) => {
        Object.assign(given as object, { item: 'table' });
        return { price: 7, note: undefined };
      },
      { input },
    );
    expect(outcome).toEqual({ completed: { result: { price: 7 }, durationMs: expect.any(Number) } });
    expect(input).toEqual({ item: 'chair' });
  });

  it('has no secret in what is recorded of it', async () => {
    expect(await perform(() => `by ${SECRET}`)).toMatchObject({ completed: { result: 'by [REDACTED]' } });
    const thrown = await perform(() => {
      throw new Error(`bad key ${SECRET}`);
    });
    const failure = { kind: 'function', message: 'bad key [REDACTED]' };
    expect(thrown).toMatchObject({ failed: { failure } });
  });

  it.each([
    ['a function threw that a workflow of the application calls', undefined, throws, true],
    ['its result is no JSON: it has done its work', undefined, () => new Map(), false],
    ['it chooses: its round goes on without it', 'verdict', throws, false],
  ] as const)('can be made again or not, after a failure, where %s', async (_, purpose, fn, retryable) => {
    const outcome = await activity(fn, fn as ArbiterFn).perform(
      { fnName: purpose ? 'majority' : 'quote', input: null, ...(purpose && { purpose }) },
      contextOf(never),
      GIVEN,
    );
    expect(outcome).toMatchObject({ failed: { failure: { kind: 'function', retryable } } });
  });

  it('fails when the function returns what is not JSON, or is registered no more', async () => {
    expect(await perform(() => new Map())).toMatchObject({
      failed: { failure: { kind: 'function', message: expect.stringContaining('an instance of Map') } },
    });
    expect(await perform(() => 7, { fnName: 'gone' })).toMatchObject({
      failed: { failure: { kind: 'function', message: expect.stringContaining('not registered') } },
    });
  });

  it('is given up after its time limit', async () => {
    const outcome = await perform(() => new Promise(() => undefined), { timeoutMs: 1 });
    expect(outcome).toMatchObject({ failed: { failure: { kind: 'timeout', retryable: false } } });
  });

  it('is not given up at once when its time limit is more than a timer of Node can wait', async () => {
    const outcome = await perform(() => new Promise((resolve) => setTimeout(resolve, 20, 7)), {
      timeoutMs: 30 * 86_400_000,
    });
    expect(outcome).toMatchObject({ completed: { result: 7 } });
  });

  it.each([
    ['is not safe to repeat where a workflow of the application made it', undefined, false],
    ['is safe to repeat where it only chooses', 'verdict', true],
  ] as const)('%s', async (_, purpose, isSafe) => {
    const request = { fnName: 'majority', input: null, ...(purpose && { purpose }) };
    expect(activity().isSafeToRepeat(request)).toBe(isSafe);
    const outcome = await perform(() => 7, request, AbortSignal.abort());
    expect(outcome).toMatchObject({ failed: { failure: { kind: 'interrupted', retryable: isSafe } } });
  });
});
