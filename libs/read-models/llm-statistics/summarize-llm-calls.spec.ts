import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_TOKENS } from '#lib/call-rules';
import type { Event } from '#lib/kernel';
import { llmCallsModel } from '../llm-calls/llm-calls.read-model.js';
import {
  completion,
  llmCallCompleted,
  llmCallFailed,
  llmCallRequested,
  proseReply,
  toolCallReply,
} from '../testing/llm-events.js';
import { id, type PlacedEvent, solicitationStarted } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import { summarizeLlmCalls } from './summarize-llm-calls.js';

const sessionId = id('session');
const at = (solicitation: string, event: Event, occurredAt?: string): PlacedEvent => ({
  category: 'solicitation',
  id: id(solicitation),
  event,
  correlationId: sessionId,
  ...(occurredAt !== undefined && { metadata: { occurredAt } }),
});
const started = (solicitation: string, model = 'model-a') =>
  at(solicitation, solicitationStarted(sessionId, 'alice', model));
const callWith = (argumentsText: string) =>
  completion({ tool_calls: [{ function: { name: 'approve', arguments: argumentsText } }] });
const choice = { transitionName: 'approve', toState: 'constructor', reasoning: '' };

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

const project = (...events: PlacedEvent[]) => parts.project(events, [llmCallsModel]);

it('costs a session, a decision of it, or a machine with and without its evaluations, by the prices of any version', async () => {
  const solicitation = solicitationStarted(sessionId);
  const { data } = solicitation;
  const sample = { ...solicitation, data: { ...data, owner: { run: id('evaluation'), step: 's' } } } as const;
  const input = { ...(data.input as object), roundId: 'round-1' };
  const next = { ...solicitation, data: { ...data, input } };
  const reply = completion({ content: 'Well.' }, { prompt_tokens: 4, completion_tokens: 1 });
  const called = (of: string) => [at(of, llmCallRequested('c')), at(of, llmCallCompleted('c', reply))];
  const [one, two, other, third] = ['one', 'two', 'other', 'sample'];
  const { db } = await project(
    at(one, solicitation),
    ...called(one),
    at(two, next),
    ...called(two),
    at(other, solicitationStarted(id('other-session'))),
    ...called(other),
    at(third, sample),
    ...called(third),
  );
  const priced = (version: string, inputPerMillion: number, from: string) => ({
    version,
    from,
    currency: 'USD',
    models: { 'model-a': { inputPerMillion, outputPerMillion: inputPerMillion } },
  });
  const prices = [priced('a', 1e6, '2020-01-01T00:00:00Z'), priced('b', 2e6, '2100-01-01T00:00:00Z')];
  const costOf = async (question: object) => {
    const [{ calls, costs } = { calls: 0, costs: [] }] = await summarizeLlmCalls(db, { prices, ...question });
    return [calls, costs[0]?.amount];
  };
  const [, each = 0] = await costOf({ sessionId: id('other-session') });
  expect(each).toBeGreaterThan(0);
  expect(await costOf({ sessionId, origins: ['live'] })).toEqual([2, 2 * each]);
  expect(await costOf({ sessionId, roundId: 'round-1' })).toEqual([1, each]);
  expect(await costOf({ roundId: 'round-1' })).toEqual([1, each]);
  expect(await costOf({ sessionId, roundId: 'round-1', priceVersion: 'b' })).toEqual([1, 2 * each]);
  expect(await costOf({ machineName: 'review' })).toEqual([4, 4 * each]);
  expect(await costOf({ machineName: 'review', by: 'day', origins: ['live'] })).toEqual([3, 3 * each]);
  expect(await costOf({ sessionId: id('nobody') })).toEqual([0, undefined]);
});

it('sums up by model: calls, the way down the ladder, tokens and latency', async () => {
  const { db } = await project(
    started('one'),
    at('one', llmCallRequested('c1')),
    at('one', llmCallCompleted('c1', proseReply)),
    at('one', { type: 'FallbackTaken', data: { from: 'tools', to: 'decision', reason: 'no-tool-call' } }),
    at('one', { type: 'FallbackTaken', data: { from: 'decision', to: 'text', reason: 'not-json' } }),
    at('one', llmCallRequested('c2', 'text')),
    at('one', llmCallCompleted('c2', toolCallReply)),
    started('two'),
    at('two', llmCallRequested('c3')),
    at('two', llmCallCompleted('c3', toolCallReply)),
    started('three', 'model-b'),
    at('three', llmCallRequested('c4', 'tools', 'model-b')),
    at('three', llmCallFailed('c4')),
    at('three', llmCallRequested('c5', 'tools', 'model-b')),
  );
  const nothing = { malformedArguments: 0, invalidArguments: 0, costs: [] };
  expect(await summarizeLlmCalls(db)).toEqual([
    {
      ...nothing,
      provider: 'default',
      model: 'model-a',
      calls: 3,
      failedCalls: 0,
      toolCallRate: 1 / 2,
      solicitations: 2,
      fallbacks: 2,
      meanFallbackDepth: 1,
      maxFallbackDepth: 2,
      inputTokens: 27,
      outputTokens: 8,
      tokens: { ...NO_TOKENS, inputUncached: 27, output: 8 },
      meanDurationMs: 120,
      latencyMs: { p50: 120, p95: 120, p99: 120 },
      unpricedCalls: 3,
    },
    {
      ...nothing,
      provider: 'default',
      model: 'model-b',
      calls: 2,
      failedCalls: 1,
      toolCallRate: null,
      solicitations: 1,
      fallbacks: 0,
      meanFallbackDepth: 0,
      maxFallbackDepth: 0,
      inputTokens: 0,
      outputTokens: 0,
      tokens: NO_TOKENS,
      meanDurationMs: 1000,
      latencyMs: { p50: 1000, p95: 1000, p99: 1000 },
      unpricedCalls: 1,
    },
  ]);
});

it('keeps UTC days apart, and takes the calls of a machine and of a time', async () => {
  const { db } = await project(
    started('one'),
    at('one', llmCallRequested('c1'), '2026-01-31T23:59:59.999Z'),
    at('one', llmCallRequested('c2'), '2026-02-01T00:00:00.000Z'),
    at('one', llmCallRequested('c3'), '2026-02-01T23:00:00.000Z'),
  );
  const days = async (
    ...question: Parameters<typeof summarizeLlmCalls> extends [unknown, ...infer Q] ? Q : never
  ) => (await summarizeLlmCalls(db, ...question)).map(({ day, calls }) => [day, calls]);
  const by = 'day';
  expect(await days({ by })).toEqual([
    ['2026-01-31', 1],
    ['2026-02-01', 2],
  ]);
  expect(await days({ by, from: '2026-02-01T00:00:00Z', to: '2026-02-01T23:00:00Z' })).toEqual([
    ['2026-02-01', 1],
  ]);
  expect(await days({ machineName: 'review' })).toEqual([[undefined, 3]]);
  expect(await days({ machineName: 'other' })).toEqual([]);
});

it('counts a solicitation on the day of its first call to a model, with the steps that it took later', async () => {
  const step = { from: 'tools', to: 'text', reason: 'no-tool-call' } as const;
  const { db } = await project(
    started('one'),
    at('one', llmCallRequested('c1'), '2026-01-31T23:59:00.000Z'),
    at('one', llmCallCompleted('c1', proseReply)),
    at('one', { type: 'FallbackTaken', data: step }),
    at('one', llmCallRequested('c2', 'text'), '2026-02-01T00:00:00.000Z'),
  );
  expect(await summarizeLlmCalls(db, { by: 'day' })).toMatchObject([
    { day: '2026-01-31', calls: 1, solicitations: 1, fallbacks: 1, maxFallbackDepth: 1 },
    { day: '2026-02-01', calls: 1, solicitations: 0, fallbacks: 0, maxFallbackDepth: 0 },
  ]);
  const noon = { from: '2026-01-31T12:00:00Z', to: '2026-02-01T00:00:00Z' };
  expect(await summarizeLlmCalls(db, noon)).toMatchObject([{ calls: 1, solicitations: 1, fallbacks: 1 }]);
});

it('counts the fallbacks of a session and of hours also once the solicitation has ended', async () => {
  const step = { from: 'tools', to: 'text', reason: 'no-tool-call' } as const;
  const { db } = await project(
    started('one'),
    at('one', llmCallRequested('c1'), '2026-01-31T23:00:00.000Z'),
    at('one', llmCallCompleted('c1', proseReply)),
    at('one', { type: 'FallbackTaken', data: step }),
    at('one', { type: 'WorkflowEnded', data: { status: 'completed', result: choice } }),
  );
  const questions = [{}, { sessionId }, { from: '2026-01-31T12:00:00Z', to: '2026-02-01T00:00:00Z' }];
  for (const question of questions) {
    expect(await summarizeLlmCalls(db, question)).toMatchObject([{ solicitations: 1, fallbacks: 1 }]);
  }
});

describe('arguments of tool calls', () => {
  const argumentErrors = [{ path: '/amount', keyword: 'type', params: {} }];
  const invalid = callWith('{"amount":"much"}');
  const malformed = callWith('amount: much');
  const empty = callWith('');
  const reask = { from: 'tools', to: 'reask', reason: 'invalid-arguments', argumentErrors } as const;
  const refused = { kind: 'invalid-arguments', message: 'no' } as const;
  const succeeded = (over: object): Event => ({
    type: 'WorkflowEnded',
    data: { status: 'completed', result: { ...choice, rung: 'tools', ...over } },
  });
  const lost: Event = { type: 'WorkflowEnded', data: { status: 'failed', failure: refused } };

  it.each<[string, Event[], number, number]>([
    ['fit', [llmCallCompleted('c', toolCallReply), succeeded({})], 0, 0],
    ['did not fit and were accepted', [llmCallCompleted('c', invalid), succeeded({ argumentErrors })], 0, 1],
    ['did not fit and were refused', [llmCallCompleted('c', invalid), lost], 0, 1],
    [
      'did not fit, and fit when asked again',
      [
        llmCallCompleted('c', invalid),
        { type: 'FallbackTaken', data: reask },
        llmCallRequested('d', 'reask'),
        llmCallCompleted('d', toolCallReply),
        succeeded({ rung: 'reask' }),
      ],
      0,
      1,
    ],
    [
      'were no JSON and were accepted',
      [llmCallCompleted('c', malformed), succeeded({ argumentsMalformed: true, argumentsText: 'x' })],
      1,
      0,
    ],
    ['were no text, of a tool without parameters', [llmCallCompleted('c', empty), succeeded({})], 0, 0],
    [
      'were no text, of a tool with parameters',
      [llmCallCompleted('c', empty), succeeded({ argumentsMalformed: true, argumentsText: '' })],
      0,
      1,
    ],
    [
      'were no JSON twice, and refused',
      [
        llmCallCompleted('c', malformed),
        { type: 'FallbackTaken', data: reask },
        llmCallRequested('d', 'reask'),
        llmCallCompleted('d', malformed),
        lost,
      ],
      2,
      0,
    ],
  ])('that %s are counted so', async (_, events, malformedArguments, invalidArguments) => {
    const { db } = await project(
      started('one'),
      at('one', llmCallRequested('c')),
      ...events.map((event) => at('one', event)),
    );
    expect(await summarizeLlmCalls(db)).toMatchObject([{ malformedArguments, invalidArguments }]);
  });

  it('count for nothing on the text rung, when no tool is offered', async () => {
    const { db } = await project(
      started('one'),
      at('one', llmCallRequested('c', 'text')),
      at('one', llmCallCompleted('c', malformed)),
    );
    expect(await summarizeLlmCalls(db)).toMatchObject([{ malformedArguments: 0, toolCallRate: null }]);
  });
});
