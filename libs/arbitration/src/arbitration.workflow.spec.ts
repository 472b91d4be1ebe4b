import { describe, expect, it } from '@jest/globals';
import { derivedId, type Json } from '#lib/kernel';
import type { ScriptedOutcome } from '#lib/legacy-workflow/testing';
import { toldArbiter } from './arbitration-start.js';
import type { ArbiterCallee, ArbitrationEvent } from './arbitration.events.js';
import { arbitration } from './arbitration.workflow.js';
import {
  ARBITRATION_ID,
  arbitrated,
  arbitrationStarted,
  byFunction,
  byWebhook,
  context,
  fails,
  replies,
  returns,
} from './testing/index.js';

type Script = readonly ScriptedOutcome<ArbitrationEvent>[];

const won = { consensusReached: true, winningProposalId: 'proposal-1', reasoning: '' };
const call = (n: number, attempt = 1, delayMs = 0) => ({
  callId: derivedId(ARBITRATION_ID, String(n)),
  attempt,
  delayMs,
  timeoutMs: 5000,
});
const endOf = (arbiter: ArbiterCallee, script: Script, maxAttempts = 1) =>
  arbitrated(arbiter, script, maxAttempts).at(-1);
const callsOf = (events: readonly ArbitrationEvent[]) =>
  events.flatMap((event) => (event.type === 'ArbiterCallRequested' ? [event.data] : []));
const failure = (kind: string, message: string, status?: number) => ({
  type: 'VerdictFailed',
  data: {
    failure: {
      kind,
      message: expect.stringContaining(message),
      ...(status !== undefined && { upstreamStatus: status }),
    },
  },
});

describe('an arbitration', () => {
  it('calls a function by its name, and ends with the verdict it returns', () => {
    const events = arbitrated(byFunction, [returns({ ...won, margin: 0.25 })]);
    expect(callsOf(events)).toEqual([{ ...call(0), strategyFnName: 'majority' }]);
    expect(events.at(-1)).toEqual({ type: 'VerdictReached', data: { ...won, margin: 0.25 } });
  });

  it('X-D8: tells the arbiter what people decided before, and the alignment under the name of DIAL', () => {
    const example = {
      sessionId: 's',
      roundId: 'r',
      currentState: 'triage',
      transitionName: 'refund',
      toState: 'refunded',
      reasoning: '',
      decidedAt: '2026-01-31T00:00:00.000Z',
    };
    const { data } = arbitrationStarted(byWebhook);
    const told = { alignmentScores: context.alignment, humanGoldExamples: [example] };
    expect(toldArbiter({ ...data, ...told })).toEqual({ ...context, ...told });
    expect(toldArbiter(data)).toEqual(context);
  });

  it('sends a webhook the context of the start event, and ends with the verdict it replies', () => {
    const events = arbitrated(byWebhook, [replies(200, won)]);
    expect(callsOf(events)).toEqual([{ ...call(0), url: 'https://judge.test/v1?x=1', requestBody: context }]);
    expect(events.at(-1)).toEqual({ type: 'VerdictReached', data: won });
  });

  it.each<[string, ArbiterCallee, Script, object]>([
    ['a function that throws', byFunction, [fails({ kind: 'function' })], failure('function', 'ECONN')],
    ['a function that is too slow', byFunction, [fails({ kind: 'timeout' })], failure('timeout', '')],
    [
      'a function that returns no verdict',
      byFunction,
      [returns({ consensusReached: true })],
      failure('unusable-verdict', 'The arbiter returned no verdict: missing winner'),
    ],
    ['a webhook that cannot be reached', byWebhook, [fails()], failure('network', 'ECONNREFUSED')],
    [
      'a reply that cannot be taken',
      byWebhook,
      [fails({ kind: 'unusable' })],
      failure('unusable-verdict', ''),
    ],
    ['a process that died', byWebhook, [fails({ kind: 'interrupted' })], failure('interrupted', '')],
    ['an HTTP error', byWebhook, [replies(404, 'who?')], failure('http-error', '(404): who?', 404)],
    ['a redirect', byWebhook, [replies(307, '')], failure('http-error', 'not followed', 307)],
    [
      'a reply that promises one for later',
      byWebhook,
      [replies(202, 'wait')],
      failure('unusable-verdict', 'asynchronous', 202),
    ],
    ['a reply that is no JSON', byWebhook, [replies(200, 'Yes')], failure('unusable-verdict', 'Yes', 200)],
    [
      'a reply that is no verdict',
      byWebhook,
      [replies(200, [won] as Json)],
      failure('unusable-verdict', 'no object', 200),
    ],
  ])('fails with %s, and says why', (_, arbiter, script, end) => {
    expect(endOf(arbiter, script)).toEqual(end);
  });

  it('asks again after what may pass, as often as its policy says, and waits longer each time', () => {
    const events = arbitrated(byWebhook, [fails(), replies(503, ''), replies(200, won)], 3);
    expect(callsOf(events)).toMatchObject([call(0), call(1, 2, 500), call(2, 3, 1000)]);
    expect(events.at(-1)?.type).toBe('VerdictReached');
  });

  it('waits as long as the other side asks for', () => {
    const events = arbitrated(byWebhook, [replies(429, '', { 'retry-after': '7' }), replies(200, won)], 2);
    expect(callsOf(events)[1]).toMatchObject(call(1, 2, 7000));
  });

  it('ends with the last failure once its attempts are used up', () => {
    expect(endOf(byWebhook, [fails(), replies(500, 'down')], 2)).toEqual(failure('http-error', 'down', 500));
  });

  it.each<[string, ArbiterCallee, Script]>([
    ['a refusal', byWebhook, [replies(400, 'no')]],
    ['a reply that is no verdict', byWebhook, [replies(200, {})]],
    ['a function that threw', byFunction, [fails({ kind: 'function', retryable: false })]],
  ])('does not ask again after %s', (_, arbiter, script) => {
    expect(endOf(arbiter, script, 5)).toMatchObject({ type: 'VerdictFailed' });
  });

  it.each<[string, ArbiterCallee, ScriptedOutcome<ArbitrationEvent>]>([
    ['a reply to a function', byFunction, replies(200, won)],
    ['a result to a webhook', byWebhook, returns(won)],
  ])('takes %s for no answer', (_, arbiter, outcome) => {
    expect(() => arbitrated(arbiter, [outcome])).toThrow('must be answered now');
  });

  it('changes nothing for an outcome that answers no pending request', () => {
    const start = arbitration.initialState(arbitrationStarted());
    const [, request, answer] = arbitrated(byFunction, [returns(won)]) as [
      ArbitrationEvent,
      ArbitrationEvent,
      ArbitrationEvent,
    ];
    expect(arbitration.evolve(start, answer)).toEqual(start);
    const pending = arbitration.evolve(start, request);
    const other = { ...answer, data: { ...answer.data, callId: 'other' } } as ArbitrationEvent;
    expect(arbitration.evolve(pending, other)).toEqual(pending);
  });
});
