import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Json, jsonText } from '#lib/kernel';
import { verifyWorkflow } from '#lib/legacy-workflow';
import { recordedEvents, type ScriptedOutcome } from '#lib/legacy-workflow/testing';
import type { SolicitationEvent } from './solicitation.events.js';
import { solicitation } from './solicitation.workflow.js';
import {
  callsOf,
  contextText,
  decision,
  endOf,
  enriched,
  httpReply,
  ladder,
  ladderStart,
  type LadderStart,
  noReply,
  plain,
  samples,
  strategyResult,
  text,
  toolCall,
  toolCalls,
  webhookReply,
} from './testing/index.js';

const json = fc.jsonValue() as fc.Arbitrary<Json>;
const name = fc.constantFrom('refund', 'escalate', 'wait', 'close', 'constructor', '__proto__', '');
const target = fc.constantFrom('refunded', 'escalated', 'waiting', '');
const usage = fc.constantFrom(undefined, { prompt_tokens: 3 }, { prompt_tokens: 5, completion_tokens: 2 });
const details = fc
  .record({ content: fc.string(), usage })
  .map(({ content, usage }) => ({ content, ...(usage && { usage }) }));
const llmReply: fc.Arbitrary<ScriptedOutcome<SolicitationEvent>> = fc.oneof(
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

/** Answers every request: functions at once, calls by the given replies in turn. */
function answering(
  replies: readonly ScriptedOutcome<SolicitationEvent>[],
): ScriptedOutcome<SolicitationEvent> {
  let turn = 0;
  return (request, signal) => {
    if (request.type === 'ContextRequested') return contextText('context')(request, signal);
    if (request.type === 'WebhookCallRequested') return webhookReply(200, 'context')(request, signal);
    return (replies[turn++ % replies.length] ?? noReply())(request, signal);
  };
}

const anyScript = fc.array(llmReply, { minLength: 1, maxLength: 4 });

const evolve: typeof solicitation.evolve = (state, event) => solicitation.evolve(state, event);

describe('a solicitation, whatever is answered', () => {
  it('ends, after at most two rungs of the attempts it was given', () => {
    fc.assert(
      fc.property(start, anyScript, (start, replies) => {
        const calls = callsOf(ladder(start).answeredBy(answering(replies)));
        expect(calls.length).toBeLessThanOrEqual(2 * (start.maxAttempts ?? 1));
      }),
      { numRuns: 300 },
    );
  });

  it('succeeds only with a transition of the state and its own target', () => {
    fc.assert(
      fc.property(start, anyScript, (start, replies) => {
        const events = ladder(start).answeredBy(answering(replies));
        const { data } = endOf(events);
        fc.pre(!('failure' in data));
        const { transitions } = ladderStart(start).data.context;
        expect(Object.hasOwn(transitions, data.transitionName)).toBe(true);
        expect(transitions[data.transitionName]?.target).toBe(data.toState);
      }),
      { numRuns: 100 },
    );
  });

  it('takes as long as its calls did, and replays exactly', () => {
    fc.assert(
      fc.property(start, anyScript, (start, replies) => {
        const events = ladder(start).answeredBy(answering(replies));
        const { data } = endOf(events);
        const latency = 'failure' in data ? durationOf(events) : data.latencyMsec;
        expect(latency).toBe(durationOf(events));
        expect(verifyWorkflow(solicitation, recordedEvents(events))).not.toHaveProperty('divergence');
      }),
      { numRuns: 300 },
    );
  });

  it('takes from a strategy a sound choice or fails', () => {
    fc.assert(
      fc.property(fc.oneof(json, fc.record({ transitionName: name, toState: json })), (result) => {
        const events = ladder({ strategyFnName: 's' }).replies(strategyResult(result));
        expect(verifyWorkflow(solicitation, recordedEvents(events))).not.toHaveProperty('divergence');
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
        expect(verifyWorkflow(solicitation, recordedEvents(events))).not.toHaveProperty('divergence');
        if ('failure' in endOf(events).data) return;
        expect([200, 204]).toContain(status);
        expect(endOf(events).data).toMatchObject({ rung: 'strategy' });
      }),
    );
  });

  it('folds the same in one go and in two, and leaves the state it folds from as it was', () => {
    for (const { start, script } of Object.values(samples)) {
      const [first, ...rest] = ladder(start).replies(...script);
      const begun = solicitation.initialState(first as SolicitationEvent);
      const fold = (events: readonly SolicitationEvent[], from = begun) => events.reduce(evolve, from);
      const before = jsonText(begun);
      for (const cut of rest.keys())
        expect(fold(rest.slice(cut), fold(rest.slice(0, cut)))).toEqual(fold(rest));
      expect(jsonText(begun)).toBe(before);
    }
  });

  it('takes every event in every state without failing', () => {
    const all = Object.values(samples).flatMap(({ start, script }) => ladder(start).replies(...script));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 12 }), start, (events, over) => {
        const state = events.reduce(evolve, solicitation.initialState(ladderStart(over)));
        expect(state.start).toEqual(ladderStart(over).data);
      }),
    );
  });

  it('is not answered by an outcome of another request', () => {
    const [first, request, outcome] = ladder().replies(text('?'), noReply());
    const asked = solicitation.evolve(
      solicitation.initialState(first as SolicitationEvent),
      request as SolicitationEvent,
    );
    const { type, data } = outcome as Extract<SolicitationEvent, { type: 'LlmCallCompleted' }>;
    expect(solicitation.evolve(asked, { type, data: { ...data, callId: 'other' } })).toBe(asked);
    expect(
      solicitation.evolve(asked, {
        type: 'ContextCompleted',
        data: { callId: data.callId, text: '', durationMs: 0 },
      }),
    ).toBe(asked);
  });
});

function durationOf(events: readonly SolicitationEvent[]): number {
  return events.reduce((total, event) => {
    if (event.type === 'LlmCallCompleted') return total + event.data.durationMs;
    return event.type === 'LlmCallFailed' ? total + event.data.failure.durationMs : total;
  }, 0);
}
