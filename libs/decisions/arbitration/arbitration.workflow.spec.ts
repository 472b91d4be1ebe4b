import { describe, expect, it } from '@jest/globals';
import { givenOf, type Outcome } from '#lib/workflow';
import { referred } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import type { RunHistory } from '#lib/workflow/testing';
import { arbitrationEnd, endBefore03 } from './arbitration-requests.js';
import { type Arbiter, byFunction, byWebhook } from './testing/asking-session.js';
import { arbitrated, fails, replies, returns } from './testing/scripted-answers.js';

const won = { consensusReached: true, winningProposalId: 'proposal-1', reasoning: '' };
const round = {
  sessionId: '0d9f7a52-7b0c-4c55-9d0e-5a3f8f6f0b02',
  roundId: 'round-1',
  machineName: 'support',
  currentState: 'triage',
  prompt: 'What next?',
  proposals: [
    {
      roundId: 'round-1',
      proposalId: 'proposal-1',
      specialistId: 'assistant',
      specialistVersion: 1,
      isHuman: false,
      transitionName: 'refund',
      toState: 'refunded',
      reasoning: 'It broke.',
    },
  ],
  alignment: { assistant: 0.5 },
  history: [],
  threshold: 0.4,
};
const asked = { ...round, alignmentScores: round.alignment };
const failure = (kind: string, message: string, status?: number) => ({
  failure: {
    kind,
    message: expect.stringContaining(message),
    ...(status !== undefined && { upstreamStatus: status }),
  },
});

/** The parts of a request that refer to the round in the session. */
const parts = [{ context: '/round' }, { value: round.alignment, as: 'alignmentScores' }];

/** The context in the first call of the arbiter. */
function askedIn({ recorded, run }: RunHistory, name: string): Json {
  return referred(recorded[0]?.data as JsonObject, name, givenOf(run));
}

/** The end that the session records after this script. */
function endOf(arbiter: Arbiter, script: readonly Outcome[], maxAttempts = 1) {
  const { end } = arbitrated(arbiter, script, maxAttempts);
  if (!end) throw new Error('The arbitration goes on.');
  return arbitrationEnd(end);
}

describe('an arbitration', () => {
  it('calls a function by its name with the round, and ends with the verdict it returns', () => {
    const history = arbitrated(byFunction, [returns({ ...won, margin: 0.25 })]);
    const { recorded, end } = history;
    const call = { fnName: 'majority', purpose: 'verdict', attempt: 1, timeoutMs: 5000 };
    expect(recorded[0]).toEqual({
      type: 'FunctionCallRequested',
      data: { stepId: 'ask#1', ...call, inputFrom: parts, inputSha256: expect.any(String) },
    });
    expect(askedIn(history, 'input')).toEqual(asked);
    const verdict = { ...won, margin: 0.25, latencyMsec: 4 };
    expect(end).toEqual({ status: 'completed', result: { verdict } });
    expect(end && arbitrationEnd(end)).toEqual({ verdict });
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
    const history = arbitrated(byWebhook, [], 1, [example]);
    const examples = { facts: '/exemplars', as: 'humanGoldExamples' };
    expect(history.recorded[0]?.data).toMatchObject({
      requestBodyFrom: [...parts, examples],
    });
    expect(askedIn(history, 'requestBody')).toEqual({ ...asked, humanGoldExamples: [example] });
  });

  it('sends a webhook the round, and ends with the verdict it replies', () => {
    const history = arbitrated(byWebhook, [replies(200, won)]);
    const { recorded } = history;
    const who = { specialistId: 'judge', machineName: 'support', tokenName: 'JUDGE_TOKEN' };
    const call = { url: 'https://judge.test/v1?x=1', purpose: 'verdict', attempt: 1, timeoutMs: 7000 };
    expect(recorded[0]).toEqual({
      type: 'WebhookCallRequested',
      data: {
        stepId: 'ask#1',
        ...call,
        ...who,
        requestBodyFrom: parts,
        requestBodySha256: expect.any(String),
      },
    });
    expect(askedIn(history, 'requestBody')).toEqual(asked);
    expect(endOf(byWebhook, [replies(200, won)])).toEqual({ verdict: { ...won, latencyMsec: 10 } });
  });

  it('X-D7: adds up how long its calls took, unless the arbiter says itself', () => {
    const script = (said: object) => [replies(503, 'busy'), replies(200, { ...won, ...said })];
    expect(endOf(byWebhook, script({}), 2)).toEqual({ verdict: { ...won, latencyMsec: 20 } });
    expect(endOf(byWebhook, script({ latencyMsec: 3 }), 2)).toEqual({ verdict: { ...won, latencyMsec: 3 } });
  });

  it.each<[string, Arbiter, Outcome, object]>([
    ['a function that throws', byFunction, fails({ kind: 'function' }), failure('function', 'ECONN')],
    ['a function that is too slow', byFunction, fails({ kind: 'timeout' }), failure('timeout', '')],
    [
      'a function that returns no verdict',
      byFunction,
      returns({ consensusReached: true }),
      failure('unusable-verdict', 'The arbiter returned no verdict: missing winner'),
    ],
    ['a webhook that cannot be reached', byWebhook, fails(), failure('network', 'ECONNREFUSED')],
    ['a reply that cannot be taken', byWebhook, fails({ kind: 'unusable' }), failure('unusable-verdict', '')],
    [
      'a reply that the log cannot hold',
      byWebhook,
      fails({ kind: 'too-large' }),
      failure('unusable-verdict', ''),
    ],
    [
      'an interrupted call that is not safe to repeat',
      byWebhook,
      fails({ kind: 'interrupted', retryable: false }),
      failure('interrupted', ''),
    ],
    ['an HTTP error', byWebhook, replies(404, 'who?'), failure('http-error', '(404): who?', 404)],
    ['a redirect', byWebhook, replies(307, ''), failure('http-error', 'not followed', 307)],
    [
      'a reply that promises one for later',
      byWebhook,
      replies(202, 'wait'),
      failure('unusable-verdict', 'asynchronous', 202),
    ],
    ['a reply that is no JSON', byWebhook, replies(200, 'Yes'), failure('unusable-verdict', 'Yes', 200)],
    [
      'a reply that is no verdict',
      byWebhook,
      replies(200, [won] as Json),
      failure('unusable-verdict', 'no object', 200),
    ],
  ])('fails with %s, and says why', (_, arbiter, outcome, end) => {
    expect(endOf(arbiter, [outcome])).toEqual(end);
  });

  it('asks again after what may pass, as often as its policy says, and waits longer each time', () => {
    const { recorded } = arbitrated(byWebhook, [fails(), replies(503, ''), replies(200, won)], 3);
    const pauses = recorded.filter(({ type }) => type === 'TimerStarted').map(({ data }) => data);
    expect(pauses).toEqual([
      { stepId: 'pause#2', afterMs: 500 },
      { stepId: 'pause#3', afterMs: 1000 },
    ]);
    const calls = recorded.filter(({ type }) => type === 'WebhookCallRequested').map(({ data }) => data);
    expect(calls).toMatchObject([
      { stepId: 'ask#1', attempt: 1 },
      { stepId: 'ask#2', attempt: 2 },
      { stepId: 'ask#3', attempt: 3 },
    ]);
    expect(recorded.at(-1)).toMatchObject({ type: 'WorkflowEnded', data: { status: 'completed' } });
  });

  it('asks again at once after an interruption, and does not count it; three are the end', () => {
    const interrupted = fails({ kind: 'interrupted' });
    const again = arbitrated(byWebhook, [interrupted, interrupted, replies(200, won)]);
    expect(again.recorded.some(({ type }) => type === 'TimerStarted')).toBe(false);
    expect(again.end).toMatchObject({ status: 'completed' });
    const script = [interrupted, interrupted, fails(), interrupted];
    expect(endOf(byWebhook, script, 2)).toEqual(failure('interrupted', ''));
  });

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 30_000],
  ])('waits as long as %j asks for, up to half a minute', (headers, afterMs) => {
    const { recorded } = arbitrated(byWebhook, [replies(429, '', headers)], 2);
    expect(recorded.at(-1)).toEqual({ type: 'TimerStarted', data: { stepId: 'pause#2', afterMs } });
  });

  it('ends with the last failure once its attempts are used up', () => {
    expect(endOf(byWebhook, [fails(), replies(500, 'down')], 2)).toEqual(failure('http-error', 'down', 500));
  });

  it.each<[string, Arbiter, Outcome]>([
    ['a refusal', byWebhook, replies(400, 'no')],
    ['a reply that is no verdict', byWebhook, replies(200, {})],
    ['a function that threw', byFunction, fails({ kind: 'function', retryable: false })],
  ])('does not ask again after %s', (_, arbiter, outcome) => {
    expect(endOf(arbiter, [outcome], 5)).toHaveProperty('failure');
  });

  it('says to its session that it was ended before there was a verdict', () => {
    const cancelled = arbitrationEnd({ status: 'cancelled', result: { verdict: won } });
    expect(cancelled).toEqual(failure('interrupted', 'before there was a verdict'));
  });

  it('0.2-O5: says to its session that an operator gave it up, where releases before 0.3 said interrupted', () => {
    const givenUp = { kind: 'given-up', message: 'An operator ended the run.' };
    const end = { status: 'failed', failure: givenUp } as const;
    expect(arbitrationEnd(end)).toEqual({ failure: givenUp });
    expect(endBefore03(end)).toEqual({ failure: { ...givenUp, kind: 'interrupted' } });
  });
});
