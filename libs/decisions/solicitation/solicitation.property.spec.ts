import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { LlmCallEvent } from '#lib/call-rules';
import type { Json, RecordedEvent } from '#lib/kernel';
import {
  newestVersion,
  type Rules,
  type ScriptState,
  type Step,
  WorkflowBug,
  type WorkflowStarted,
} from '#lib/workflow';
import { callsOf, endOf, type History, ladder, type Scripted, verifyLadder } from './testing/ladder.js';
import {
  contextText,
  decision,
  httpReply,
  noReply,
  strategyResult,
  text,
  toolCall,
  toolCalls,
  webhookReply,
} from './testing/scripted-replies.js';
import { enriched, ladderStart, type LadderStart, plain } from './testing/ladder-start.js';
import { samples } from './testing/sample-histories.js';
import { solicitation } from './solicitation.workflow.js';

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const name = fc.constantFrom('refund', 'escalate', 'wait', 'close', 'constructor', '__proto__', '');
const target = fc.constantFrom('refunded', 'escalated', 'waiting', '');
const usage = fc.constantFrom(undefined, { prompt_tokens: 3 }, { prompt_tokens: 5, completion_tokens: 2 });
const details = fc
  .record({ content: fc.string(), usage })
  .map(({ content, usage }) => ({ content, ...(usage && { usage }) }));
const llmReply: fc.Arbitrary<Scripted> = fc.oneof(
  fc
    .tuple(name, fc.oneof(json, fc.record({ amount: json })), details)
    .map(([name, args, more]) => toolCall(name, args, more)),
  fc.tuple(json, details).map(([calls, more]) => toolCalls(calls, more)),
  fc.record({ transitionName: name, toState: target, metaJson: json }).map((value) => decision(value)),
  fc.record({ transitionName: name, toState: target }).map((value) => decision(value)),
  fc.string().map((content) => text(content)),
  fc
    .tuple(fc.constantFrom(200, 429, 500, 404), fc.oneof(json, fc.string()))
    .map(([status, body]) => httpReply(status, body)),
  fc.boolean().map((retryable) => noReply({ retryable })),
);

const transitions = fc.constantFrom(
  plain,
  enriched,
  { ...enriched, wait: 'waiting' },
  {
    refund: Object.assign({}, enriched['refund'], { onInvalidArguments: 'reask' as const }),
    wait: 'waiting',
  },
  { refund: Object.assign({}, enriched['refund'], { onInvalidArguments: 'reject' as const }) },
  Object.fromEntries([
    ['__proto__', { target: 'waiting', description: 'odd' }],
    ['constructor', { target: 'escalated' }],
  ]),
);
const start: fc.Arbitrary<LadderStart> = fc.record(
  {
    transitions,
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    modelId: fc.constantFrom('m', 'm[tools=no]'),
    context: fc.constantFrom(
      { contextFnName: 'f' },
      { contextTemplate: '{{metaJson}}{{#history}}.{{/history}}' },
      { contextWebhookUrl: 'https://hooks.test/facts', webhookTokenName: 'WEBHOOK_TOKEN' },
    ),
  },
  { requiredKeys: ['transitions'] },
);

/** Answers every request: functions at once, other calls by the given replies in turn. */
function answering(replies: readonly Scripted[]): Scripted {
  let turn = 0;
  return (call) => {
    if (call.activity === 'function') return contextText('context')(call);
    if (call.activity === 'webhook') return webhookReply(200, 'context')(call);
    return (replies[turn++ % replies.length] ?? noReply())(call);
  };
}

const anyScript = fc.array(llmReply, { minLength: 1, maxLength: 4 });
/** A reply that a state with `transitions` may accept. */
const soundReply: fc.Arbitrary<Scripted> = fc.constantFrom(
  toolCall('refund', { amount: 3 }),
  toolCall('escalate', {}),
  decision({ transitionName: 'refund', toState: 'refunded', metaJson: { amount: 3 } }),
  decision({ transitionName: 'wait', toState: 'waiting' }),
  decision({ transitionName: 'constructor', toState: 'escalated' }),
  decision({ transitionName: '__proto__', toState: 'waiting' }),
);
const oftenSound = fc.array(fc.oneof(llmReply, soundReply), { minLength: 1, maxLength: 4 });

const rules = solicitation.versions[newestVersion(solicitation)] as Rules<ScriptState>;

/** A rung for tools or a structured answer, one for text, and one for the errors of the arguments of either. */
function rungsAtMost({ transitions = {} }: LadderStart): number {
  const asksAgain = (each: unknown) => Object(each).onInvalidArguments === 'reask';
  return Object.values(transitions).some(asksAgain) ? 3 : 2;
}

/** The state after the first event of a history. */
function begun(start: LadderStart, [first]: History): ScriptState {
  const started = { ...(first as RecordedEvent<WorkflowStarted>), runId: 'run' };
  return rules.initialState(started, ladderStart(start).context);
}

/** The error that this throws, if any. */
function refusalOf(ask: () => unknown): unknown {
  try {
    ask();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The steps after these events, with the rules asked after each of them, or after the last alone. */
function nextAfter(
  first: ScriptState,
  events: History,
  isAsked: (index: number) => boolean,
): readonly Step[] {
  const last = events.reduce((state, event, index) => {
    if (isAsked(index)) rules.next(state);
    return rules.evolve(state, event);
  }, first);
  return rules.next(last);
}

describe('a solicitation with any answers', () => {
  it('succeeds only with a transition of the state and its own target', () => {
    let succeeded = 0;
    fc.assert(
      fc.property(start, oftenSound, (start, replies) => {
        const events = ladder(start).answeredBy(answering(replies));
        const { data } = endOf(events);
        if ('failure' in data) return;
        succeeded += 1;
        const { transitions } = ladderStart(start).context;
        expect(Object.hasOwn(transitions, data.transitionName)).toBe(true);
        expect(transitions[data.transitionName]?.target).toBe(data.toState);
      }),
      { numRuns: 300 },
    );
    expect(succeeded).toBeGreaterThan(0);
  });

  it('ends, after at most two rungs of the attempts it was given and a third that shows a model its errors, takes as long as its calls did, and replays exactly', () => {
    fc.assert(
      fc.property(start, anyScript, (start, replies) => {
        const events = ladder(start).answeredBy(answering(replies));
        expect(callsOf(events).length).toBeLessThanOrEqual(rungsAtMost(start) * (start.maxAttempts ?? 1));
        const { data } = endOf(events);
        const latency = 'failure' in data ? durationOf(events) : data.latencyMsec;
        expect(latency).toBe(durationOf(events));
        expect(verifyLadder(start, events)).not.toHaveProperty('divergence');
      }),
      { numRuns: 300 },
    );
  });

  it('takes from a strategy a sound choice or fails', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ transitionName: name, toState: json })), (result) => {
        const start = { strategyFnName: 's' };
        const events = ladder(start).replies(strategyResult(result));
        expect(verifyLadder(start, events)).not.toHaveProperty('divergence');
      }),
    );
  });

  it('takes from a webhook a sound choice or fails', () => {
    const start = { strategyWebhookUrl: 'https://hooks.test/decide', maxAttempts: 2 };
    const status = fc.constantFrom(200, 204, 202, 302, 429, 500);
    const body = fc.oneof(json, fc.string(), fc.record({ transitionName: name, toState: target }));
    fc.assert(
      fc.property(status, body, (status, body) => {
        const events = ladder(start).answeredBy(webhookReply(status, body));
        expect(verifyLadder(start, events)).not.toHaveProperty('divergence');
        if ('failure' in endOf(events).data) return;
        expect([200, 204]).toContain(status);
        expect(endOf(events).data).toMatchObject({ rung: 'strategy' });
      }),
    );
  });

  it('asks the same whether it was asked after each event, after some, or after the last alone', () => {
    for (const { start, script } of Object.values(samples)) {
      const history = ladder(start).replies(...script);
      const rest = history.slice(1);
      const asked = begun(start, history);
      for (const cut of rest.keys()) {
        const part = rest.slice(0, cut);
        const alone = nextAfter(begun(start, history), part, () => false);
        expect(nextAfter(begun(start, history), part, () => true)).toEqual(alone);
        expect(nextAfter(asked, part, (index) => index % 2 === 0)).toEqual(alone);
      }
    }
  });

  it('folds every event in every state without failing, and refuses a record that is not its own', () => {
    const all = Object.values(samples).flatMap(({ start, script }) => ladder(start).replies(...script));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 12 }), start, (events, over) => {
        const first = begun(over, ladder(over).answeredBy(answering([text('?')])));
        const last = events.reduce((state, event) => rules.evolve(state, event), first);
        const refusal = refusalOf(() => rules.next(last));
        expect(refusal === undefined || refusal instanceof WorkflowBug).toBe(true);
      }),
    );
  });

  it('is not answered by an outcome of another call', () => {
    const history = ladder().replies(text('?'), noReply());
    const first = begun({}, history);
    const outcome = history.find(({ type }) => type === 'LlmCallCompleted') as RecordedEvent;
    const other = { ...outcome, data: { ...outcome.data, stepId: 'text#1' } };
    expect(() => rules.next(rules.evolve(first, other))).toThrow(WorkflowBug);
    const fired = { ...outcome, type: 'TimerFired', data: { stepId: 'tools-retry#2' } };
    expect(() => rules.next(rules.evolve(first, fired))).toThrow(WorkflowBug);
  });

  it('is asked again after an interruption at any attempt, until the third interruption', () => {
    const events = ladder({ maxAttempts: 1 }).answeredBy(noReply({ kind: 'interrupted' }));
    expect(callsOf(events)).toHaveLength(3);
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'interrupted' } });
  });
});

function durationOf(events: History): number {
  return (events as readonly RecordedEvent<LlmCallEvent>[]).reduce((total, { type, data }) => {
    if (type === 'LlmCallCompleted') return total + data.durationMs;
    return type === 'LlmCallFailed' ? total + data.failure.durationMs : total;
  }, 0);
}
