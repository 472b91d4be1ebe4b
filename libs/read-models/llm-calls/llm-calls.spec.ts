import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NO_TOKENS } from '#lib/call-rules';
import { derivedId, type Event } from '#lib/kernel';
import {
  completion,
  decisionReply,
  llmCallCompleted,
  llmCallFailed,
  llmCallRequested,
  proseReply,
  sentBody,
  toolCallReply,
} from '../testing/llm-events.js';
import { id, type PlacedEvent, solicitationStarted, timeOf } from '../testing/sample-log.js';
import { TestParts } from '../testing/test-parts.js';
import type { LlmCallRecord } from './llm-call-record.js';
import { withBodies } from './llm-call-bodies.js';
import { llmCallsModel } from './llm-calls.read-model.js';
import { runsThatSpend, spentOn } from './call-usage.js';
import { asRows, listLlmCalls, listLlmCallsOfSession, type LlmCallFilter } from './llm-calls.queries.js';

const sessionId = id('session');
const asking = id('asking');
const placed = (event: Event, solicitation = asking, session = sessionId): PlacedEvent => ({
  category: 'solicitation',
  id: solicitation,
  event,
  correlationId: session,
});
const started = placed(solicitationStarted(sessionId));

let parts: TestParts;
beforeEach(() => {
  parts = new TestParts();
});
afterEach(() => parts.close());

async function callsAfter(...events: Event[]): Promise<readonly LlmCallRecord[]> {
  const all = [started, ...events.map((event) => placed(event))];
  const { db } = await parts.project(all, [llmCallsModel]);
  const page = await listLlmCallsOfSession(db, sessionId, {}, (calls) => withBodies(parts.log, calls));
  if (!('items' in page)) throw new Error(page.message);
  return page.items;
}

const pending = {
  callId: derivedId(asking, 'c'),
  runId: asking,
  workflow: 'solicitation',
  sessionId,
  solicitationId: asking,
  specialistId: 'alice',
  specialistVersion: 1,
  machineName: 'review',
  rung: 'tools',
  provider: 'default',
  model: 'model-a',
  attempt: 1,
  requestUrl: 'http://model.test/v1/chat/completions',
  requestHeaders: { Authorization: '[REDACTED]' },
  requestBody: sentBody(),
  responseStatus: null,
  responseBody: null,
  durationMs: null,
  error: null,
  outcome: 'pending',
  tokens: NO_TOKENS,
  requestedAt: timeOf(1),
};

describe('a call to a model', () => {
  it('is shown from its request on', async () => {
    expect(await callsAfter(llmCallRequested('c'))).toEqual([pending]);
  });

  it('is shown whole once it was answered', async () => {
    expect(await callsAfter(llmCallRequested('c'), llmCallCompleted('c', toolCallReply))).toEqual([
      {
        ...pending,
        resolvedModel: 'model-a-2026',
        requestHeaders: { Authorization: '[REDACTED]' },
        responseStatus: 200,
        responseBody: toolCallReply,
        durationMs: 120,
        outcome: 'toolCall',
        usage: { prompt_tokens: 10, completion_tokens: 4 },
        tokens: { ...NO_TOKENS, inputUncached: 10, output: 4 },
        completedAt: timeOf(2),
      },
    ]);
  });

  const layouts = [
    { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 3 } },
    { input_tokens: 6, cache_read_input_tokens: 3, output_tokens: 4 },
    { prompt_cache_hit_tokens: 3, prompt_cache_miss_tokens: 6, completion_tokens: 4 },
  ];
  it.each(layouts)('has each token in one bucket for every layout of usage: %j', async (usage) => {
    const reply = completion({ content: 'Well.' }, usage);
    const { type, data } = llmCallRequested('c');
    const request = { type, data: { ...data, provider: 'azure', attempt: 3 } };
    expect(await callsAfter(request, llmCallCompleted('c', reply))).toMatchObject([
      {
        provider: 'azure',
        attempt: 3,
        usage: { prompt_tokens: 9, completion_tokens: 4 },
        tokens: { inputUncached: 6, cacheRead: 3, cacheWrite: 0, output: 4, reasoning: 0 },
      },
    ]);
  });

  it('that no reply came to has failed, and says why', async () => {
    expect(await callsAfter(llmCallRequested('c'), llmCallFailed('c'))).toEqual([
      {
        ...pending,
        durationMs: 1000,
        error: 'no reply in time',
        outcome: 'failed',
        completedAt: timeOf(2),
      },
    ]);
  });

  it('X-D1: that a reply came to in part has failed, and keeps what was received', async () => {
    const received = {
      status: 200,
      responseHeaders: {},
      body: { encoding: 'base64', content: 'H4sI', sha256: '' },
    } as const;
    const failed = llmCallFailed('c');
    const [call] = await callsAfter(llmCallRequested('c'), { ...failed, data: { ...failed.data, received } });
    expect(call).toMatchObject({
      outcome: 'failed',
      error: 'no reply in time',
      responseStatus: 200,
      responseBody: 'H4sI',
      responseIncomplete: true,
      responseEncoding: 'base64',
    });
  });

  it('that an HTTP error came to has failed, and keeps the reply', async () => {
    const [call] = await callsAfter(llmCallRequested('c'), llmCallCompleted('c', 'overloaded', 500));
    expect(call).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('LLM API error (500)'),
      responseStatus: 500,
      responseBody: 'overloaded',
    });
  });

  it('that is not a completion has failed although HTTP was fine', async () => {
    const [call] = await callsAfter(llmCallRequested('c'), llmCallCompleted('c', '{"choices":[]}'));
    expect(call).toMatchObject({ outcome: 'failed', responseStatus: 200, error: expect.any(String) });
  });

  const unknownTool = completion({ tool_calls: [{ function: { name: 'never heard of', arguments: '' } }] });
  it.each([
    ['tools', toolCallReply, 'toolCall'],
    ['tools', unknownTool, 'toolCall'],
    ['tools', decisionReply, 'decision'],
    ['tools', proseReply, 'noToolCall'],
    ['reask', toolCallReply, 'toolCall'],
    ['reask', proseReply, 'noToolCall'],
    ['text', decisionReply, 'decision'],
    ['text', proseReply, 'unreadable'],
    ['text', toolCallReply, 'unreadable'],
  ] as const)('on the %s rung with the reply %s has the outcome %s', async (rung, reply, outcome) => {
    const [call] = await callsAfter(llmCallRequested('c', rung), llmCallCompleted('c', reply));
    expect(call).toMatchObject({ rung, outcome, error: null });
  });
});

it('the calls of a specialist are summed up for a session or for a day, with the price in force then', async () => {
  const price = { version: 'v', inputPerMillion: 1_000_000, outputPerMillion: 2_000_000 };
  const other = id('other');
  const { type, data } = llmCallRequested('priced');
  const events = [
    started,
    placed({ type, data: { ...data, price } }),
    placed(llmCallCompleted('priced', toolCallReply)),
    placed(llmCallRequested('unreported')),
    placed(llmCallCompleted('unreported', decisionReply)),
    placed(solicitationStarted(other), id('second'), other),
    placed(llmCallRequested('c'), id('second'), other),
    placed(llmCallCompleted('c', toolCallReply), id('second'), other),
  ];
  const { db } = await parts.project(events, [llmCallsModel]);
  const whose = { machineName: 'review', specialistId: 'alice', sessionId };
  expect(await spentOn(db, whose)).toEqual({ tokens: 14, costUSD: 18 });
  expect(await spentOn(db, whose, timeOf(1))).toEqual({ tokens: 28, costUSD: 18 });
  expect(await spentOn(db, whose, '2020-01-01T00:00:00Z')).toEqual({ tokens: 0, costUSD: 0 });
  expect(await spentOn(db, { ...whose, specialistId: 'bob' })).toEqual({ tokens: 0, costUSD: 0 });
});

it('a budget per day is spent by no fork; that of a fork, by live calls and by forks', async () => {
  const [live, one, two, sample] = [id('live'), id('fork-1'), id('fork-2'), id('of-sample')];
  const asks = (of: string, more: object = {}) => {
    const solicitation = solicitationStarted(of);
    const data = { ...solicitation.data, ...more };
    return [
      placed({ ...solicitation, data }, of, of),
      placed(llmCallRequested('c'), of, of),
      placed(llmCallCompleted('c', toolCallReply), of, of),
    ];
  };
  const events = [...asks(live), ...asks(one, { fork: 'hold' }), ...asks(two, { fork: 'allow' })];
  const evaluated = asks(sample, { owner: { run: id('evaluation'), workflow: 'evaluation', stepId: 's' } });
  const { db } = await parts.project([...events, ...evaluated], [llmCallsModel]);
  const spent = (of: string, day?: string) =>
    spentOn(db, { machineName: 'review', specialistId: 'alice', sessionId: of }, day);
  const { tokens } = await spent(live);
  expect(tokens).toBeGreaterThan(0);
  expect(await spent(one)).toMatchObject({ tokens });
  expect(await spent(live, timeOf(1))).toMatchObject({ tokens: 2 * tokens });
  expect(await spent(one, timeOf(1))).toMatchObject({ tokens: 4 * tokens });
  const whose = { machineName: 'review', specialistId: 'alice' };
  expect(await runsThatSpend(db, { ...whose, sessionId: live }, false)).toEqual(new Set([live, sample]));
  expect((await runsThatSpend(db, { ...whose, sessionId: two }, false)).size).toBe(4);
});

describe('a call of another run', () => {
  const start = (runId: string, owner?: object): PlacedEvent => ({
    category: 'planner',
    id: runId,
    correlationId: runId,
    event: {
      type: 'WorkflowStarted',
      data: { workflow: 'planner', version: 1, input: {}, facts: {}, ...owner },
    },
  });
  const [own, child] = [id('own'), id('child')];
  const ofRun = (runId: string, event: Event): PlacedEvent => {
    return { category: 'planner', id: runId, correlationId: runId, event };
  };
  const asked = (stepId: string) => {
    const { type, data } = llmCallRequested(stepId);
    return { type, data: { ...data, labels: { round: 2 } } };
  };
  const events = [
    placed(solicitationStarted(sessionId)),
    start(own),
    ofRun(own, asked('c1')),
    ofRun(own, llmCallCompleted('c1', decisionReply)),
    start(child, { owner: { run: asking, workflow: 'solicitation', stepId: 'workflow' } }),
    ofRun(child, asked('c2')),
    ofRun(child, llmCallCompleted('c2', toolCallReply)),
  ];
  const found = async (filter: LlmCallFilter, history: readonly PlacedEvent[] = events) => {
    const { db } = await parts.project(history, [llmCallsModel]);
    const page = await listLlmCalls(db, filter, {}, asRows);
    if (!('items' in page)) throw new Error(page.message);
    return page.items;
  };

  it('names its run, workflow and round, and has no rung: a decision in its text is none', async () => {
    const [call] = await found({ runId: own });
    expect(call).toMatchObject({ runId: own, workflow: 'planner', round: 2, outcome: 'noToolCall' });
    for (const member of ['rung', 'sessionId', 'solicitationId', 'specialistId', 'machineName'])
      expect(call).not.toHaveProperty(member);
  });

  it('is about what the run above it is about', async () => {
    expect(await found({ sessionId })).toMatchObject([
      {
        runId: child,
        solicitationId: asking,
        specialistId: 'alice',
        specialistVersion: 1,
        machineName: 'review',
      },
    ]);
  });

  it('is about what the run above it is about, even when that one was given up before the child started', async () => {
    const [begun, ...rest] = events;
    const history = [begun as PlacedEvent, placed({ type: 'WorkflowGivenUp', data: {} }), ...rest];
    expect(await found({ sessionId }, history)).toMatchObject([{ runId: child, specialistId: 'alice' }]);
  });

  it('is found by its workflow', async () => {
    expect((await found({ workflow: 'planner' })).map(({ runId }) => runId)).toEqual([child, own]);
    expect(await found({ workflow: 'solicitation' })).toEqual([]);
  });
});

describe('the audit', () => {
  const [otherSession, otherAsking] = [id('other session'), id('other asking')];
  const events = [
    started,
    placed(llmCallRequested('c1')),
    placed(llmCallCompleted('c1', proseReply)),
    placed({ type: 'FallbackTaken', data: { from: 'tools', to: 'decision', reason: 'no-tool-call' } }),
    placed({ type: 'FallbackTaken', data: { from: 'decision', to: 'text', reason: 'not-json' } }),
    placed(llmCallRequested('c2', 'text')),
    placed(llmCallCompleted('c2', toolCallReply)),
    placed(solicitationStarted(otherSession, 'bob', 'model-b'), otherAsking, otherSession),
    placed(llmCallRequested('c3', 'tools', 'model-b'), otherAsking, otherSession),
    placed(llmCallFailed('c3'), otherAsking, otherSession),
    placed(llmCallRequested('c4', 'tools', 'model-b'), otherAsking, otherSession),
  ];
  const everyFilter: readonly [LlmCallFilter, readonly string[]][] = [
    [{}, ['c4', 'c3', 'c2', 'c1']],
    [{ sessionId }, ['c2', 'c1']],
    [{ specialistId: 'bob' }, ['c4', 'c3']],
    [{ machineName: 'review' }, ['c4', 'c3', 'c2', 'c1']],
    [{ machineName: 'other' }, []],
    [{ model: 'model-a' }, ['c2', 'c1']],
    [{ outcome: 'pending' }, ['c4']],
    [{ outcome: 'failed', specialistId: 'bob' }, ['c3']],
    [{ from: timeOf(5) }, ['c4', 'c3', 'c2']],
    [{ to: timeOf(5) }, ['c1']],
    [{ from: timeOf(5), to: timeOf(9) }, ['c3', 'c2']],
  ];

  it.each(everyFilter)('lists the calls that fit %j, newest first', async (filter, expected) => {
    const { db } = await parts.project(events, [llmCallsModel]);
    const page = await listLlmCalls(db, filter, {}, asRows);
    expect('items' in page && page.items.map(({ stepId }) => stepId)).toEqual(expected);
  });

  it('continues after a cursor', async () => {
    const { db } = await parts.project(events, [llmCallsModel]);
    const first = await listLlmCalls(db, {}, { limit: 3 }, asRows);
    const cursor = ('items' in first && first.nextCursor) || '';
    expect(await listLlmCalls(db, {}, { cursor }, asRows)).toMatchObject({ items: [{ stepId: 'c1' }] });
    expect(await listLlmCallsOfSession(db, sessionId, { cursor }, asRows)).toMatchObject({
      rejected: 'malformed',
    });
  });
});
