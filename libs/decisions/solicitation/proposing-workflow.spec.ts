import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '#lib/kernel';
import type { ChildStarted, RunEnd } from '#lib/workflow';
import { solicitationResult } from './solicitation-requests.js';
import type { LadderStart } from './testing/ladder-start.js';
import { ladderRun } from './testing/ladder.js';

const asking = (over: LadderStart = {}) => {
  const start = { workflow: { name: 'planner', input: { goal: 'Refund {{metaJson.order}}' } }, ...over };
  return ladderRun(start);
};
const ended = (end: RunEnd, over?: LadderStart) => {
  const run = asking(over).endChild('workflow', end);
  return run.end && solicitationResult(run.end);
};
const exit = (result: Json, over?: LadderStart) => ended({ status: 'completed', result }, over);
const onInvalid = (onInvalidArguments: 'accept' | 'reject' | 'reask'): LadderStart => {
  const parameters = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
  return { transitions: { refund: { target: 'refunded', parameters, onInvalidArguments } } };
};

describe('a proposer that is a workflow', () => {
  it('gets its input with rendered texts, and the transitions as exits in their order', () => {
    const transitions = {
      refund: { target: 'refunded', description: 'Pay', parameters: { properties: { amount: {} } } },
      escalate: 'escalated',
    };
    const [asked] = asking({ transitions, metaJson: { order: 7 } }).recorded;
    expect((asked as ChildStarted).data).toMatchObject({
      stepId: 'workflow',
      workflow: 'planner',
      input: {
        goal: 'Refund 7',
        exits: [
          { name: 'refund', description: 'Pay', parameters: { type: 'object', properties: { amount: {} } } },
          { name: 'escalate', description: 'escalate', parameters: { type: 'object', properties: {} } },
        ],
      },
    });
  });

  it('proposes the exit that it took, with arguments, summary, and what it says of its cost', () => {
    const result = { exit: 'refund', arguments: { amount: 5 }, summary: 'Late', costUSD: 0.5, rounds: 3 };
    expect(exit({ ...result, numInputTokens: 10, numOutputTokens: 2 })).toEqual({
      choice: {
        transitionName: 'refund',
        toState: 'refunded',
        reasoning: 'Late',
        metaJson: { amount: 5 },
        costUSD: 0.5,
        numInputTokens: 10,
        numOutputTokens: 2,
        latencyMsec: 0,
      },
    });
    expect(exit({ exit: 'escalate', arguments: {}, summary: null })).toEqual({
      choice: { transitionName: 'escalate', toState: 'escalated', reasoning: '', latencyMsec: 0 },
    });
  });

  it.each<[string, Json, string]>([
    ['another name', { exit: 'leave' }, 'The choice "leave" does not match any transition of state "triage"'],
    [
      'no exit',
      { stopReason: 'max-rounds' },
      'The workflow planner ended without one of its exits (max-rounds).',
    ],
    ['no object', 'refund', 'The workflow planner ended without one of its exits.'],
    ['arguments that are no object', { exit: 'refund', arguments: [1] }, 'returned an unusable metaJson'],
    ['a cost below zero', { exit: 'refund', costUSD: -1 }, 'returned an unusable costUSD'],
  ])('fails with invalid-choice where it ends with %s', (_, result, message) => {
    expect(exit(result)).toEqual({
      failure: { kind: 'invalid-choice', message: expect.stringContaining(message) },
    });
  });

  it('is held to the policy of the transition on arguments, without a second question', () => {
    const unfit = { exit: 'refund', arguments: { amount: 'much' } };
    expect(exit(unfit, onInvalid('accept'))).toMatchObject({ choice: { metaJson: { amount: 'much' } } });
    for (const policy of ['reject', 'reask'] as const) {
      expect(exit(unfit, onInvalid(policy))).toMatchObject({ failure: { kind: 'invalid-arguments' } });
    }
  });

  it.each<[string, RunEnd, JsonObject]>([
    [
      'as the ladder calls it, where it does',
      { status: 'failed', failure: { kind: 'timeout', message: 'late' } },
      { kind: 'timeout', message: 'The workflow planner failed: late' },
    ],
    [
      'as workflow otherwise',
      { status: 'failed', failure: { kind: 'llm-error', message: 'HTTP 500' } },
      { kind: 'workflow', message: 'The workflow planner failed: HTTP 500' },
    ],
    [
      'as workflow where it was cancelled',
      { status: 'cancelled', result: { exit: 'refund' } },
      { kind: 'workflow', message: 'The workflow planner was cancelled.' },
    ],
  ])('fails %s', (_, end, failure) => {
    expect(ended(end)).toEqual({ failure });
  });

  it('is not asked when its templates are over their bounds together', () => {
    const texts = Array.from({ length: 20 }, () => '{{#history}}{{metaJson.text}}{{/history}}');
    const history = Array.from({ length: 60 }, () => ({})) as never;
    const run = asking({
      workflow: { name: 'planner', input: { texts } },
      history,
      metaJson: { text: 'x'.repeat(1_000) },
    });
    expect(run.end).toMatchObject({ status: 'failed', failure: { kind: 'template-too-large' } });
    expect(run.recorded).toHaveLength(1);
  });
});
