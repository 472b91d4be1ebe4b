import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ActivityFailure, type Given, scripted, type ScriptState, type Workflow } from '#lib/workflow';
import { toolCallRules } from '#lib/call-rules';
import type { Json, JsonObject } from '#lib/kernel';
import { RunHistory } from '#lib/workflow/testing';
import { beginToolCall, resultOf, type ToolCallState } from './tool-call.rules.js';
import { toolCalled } from './tool-call.script.js';
import type { ToolFact } from './tool-arguments.rules.js';
import { shownResult } from './shown-result.rules.js';
import type { ToolPolicy } from './tools.events.js';

const tool = (policy: ToolPolicy = {}): ToolFact => ({
  toolId: 'refund',
  version: 3,
  description: 'Refunds an order',
  parameters: {
    type: 'object',
    properties: { amount: { type: 'number' } },
    required: ['amount'],
    additionalProperties: false,
  },
  execution: { fnName: 'refund' },
  policy,
});

function begun({ start: { data } }: Given): ToolCallState {
  const { asked, known } = data.input as JsonObject;
  const { argumentsText } = asked as { argumentsText: string };
  const fact = known as unknown;
  return beginToolCall({ callId: 'c', toolId: 'refund', argumentsText }, fact as ToolFact | undefined);
}

/** A family of one call, which ends with its result. */
const one: Workflow<ScriptState> = {
  name: 'one',
  versions: {
    1: scripted({ input: {} }, function* (run) {
      return resultOf(yield* toolCalled(begun(run)));
    }),
  },
};

function given(policy: ToolPolicy | null = {}, argumentsText = '{"amount":5}'): RunHistory {
  const known = policy === null ? {} : { known: tool(policy) as JsonObject };
  const input = { asked: { argumentsText }, ...known };
  const activity = {
    ...toolCallRules,
    preflight: () => undefined,
    perform: () => Promise.reject(new Error()),
  };
  return RunHistory.of(one, { input, activities: [activity] });
}

const ok = { completed: { result: { success: true, message: 'ok', data: { id: 1 } }, durationMs: 1 } };
const failure = (kind: string, retryable: boolean): { failed: { failure: ActivityFailure } } => ({
  failed: { failure: { kind, message: `${kind}!`, retryable, durationMs: 1 } },
});
const resultIn = (history: RunHistory): Json | undefined => history.end?.result;
const typesIn = (history: RunHistory) => history.recorded.map(({ type }) => type);

describe('a call of a tool', () => {
  it('is made once, and its result is what the tool gave', () => {
    const history = given().answer('c#1', ok);
    expect(history.recorded[0]).toEqual({
      type: 'ToolCallRequested',
      data: {
        stepId: 'c#1',
        callId: 'c',
        toolId: 'refund',
        toolVersion: 3,
        arguments: { amount: 5 },
        execution: { fnName: 'refund' },
        timeoutMs: 30_000,
        attempt: 1,
      },
    });
    expect(resultIn(history)).toEqual({ success: true, message: 'ok', data: { id: 1 } });
  });

  it.each([
    ['of an unknown tool', null, '{"amount":5}', 'unknown-tool'],
    ['with arguments that do not fit', {}, '{"amount":"much"}', 'invalid-arguments'],
    ['with text that is no JSON object', {}, '{"amount"', 'invalid-arguments'],
    ['with a number that JSON cannot hold', {}, '{"amount":1e999}', 'invalid-arguments'],
  ])('%s is recorded as rejected, and nothing is called', (_, policy, argumentsText, kind) => {
    const history = given(policy, argumentsText);
    expect(history.recorded[0]).toMatchObject({
      type: 'ToolCallRejected',
      data: { callId: 'c', argumentsText, error: { kind } },
    });
    expect(typesIn(history)).toEqual(['ToolCallRejected', 'WorkflowEnded']);
    expect(resultIn(history)).toMatchObject({ success: false });
  });

  it('that needs an approval waits for one that shows the version and the arguments', () => {
    const history = given({ needsApproval: true });
    expect(history.recorded).toMatchObject([
      {
        type: 'SignalAwaited',
        data: {
          signal: 'approval',
          prompt: {
            toolId: 'refund',
            toolVersion: 3,
            callId: 'c',
            arguments: { amount: 5 },
            reason: 'needs-approval',
          },
        },
      },
    ]);
    history.signal('c-approval#1', { approved: true }).answer('c#1', ok);
    expect(resultIn(history)).toMatchObject({ success: true });
  });

  it('is made with the arguments that the person put in their place, and keeps the text of the model', () => {
    const history = given({ needsApproval: true });
    history.signal('c-approval#1', { approved: true, arguments: { amount: 2 } });
    expect(history.recorded.at(-1)?.data).toMatchObject({
      arguments: { amount: 2 },
      argumentsText: '{"amount":5}',
    });
  });

  it('that a person refuses is not made, and the model gets the reason', () => {
    const history = given({ needsApproval: true }).signal('c-approval#1', {
      approved: false,
      reason: 'too much',
    });
    expect(resultIn(history)).toEqual({ success: false, message: 'A person refused this call: too much' });
    expect(typesIn(history)).not.toContain('ToolCallRequested');
  });

  it('F-51: is tried again after a timer while it may be, and fails then', () => {
    const history = given({ maxAttempts: 3 }).answer('c#1', failure('network', true));
    history.fire('c-retry#2').answer('c#2', failure('http-error', true)).fire('c-retry#3');
    history.answer('c#3', failure('network', true));
    expect(resultIn(history)).toEqual({ success: false, message: 'network!' });
    const requests = history.recorded.filter(({ type }) => type === 'ToolCallRequested');
    expect(requests.map(({ data }) => data)).toMatchObject(
      [1, 2, 3].map((attempt) => ({ callId: 'c', attempt })),
    );
  });

  it.each([
    ['a failure that another attempt does not change', { maxAttempts: 3 }, failure('timeout', false)],
    ['attempts that are used', {}, failure('network', true)],
  ])('F-51: is not tried again after %s', (_, policy, outcome) => {
    expect(resultIn(given(policy).answer('c#1', outcome))).toMatchObject({ success: false });
  });

  it('that was interrupted and is not safe to repeat is made again only when a person says so', () => {
    const history = given().answer('c#1', failure('interrupted', false));
    expect(history.recorded.at(-1)).toMatchObject({
      data: { prompt: { reason: 'interrupted', callId: 'c' } },
    });
    history.signal('c-approval#1', { approved: true }).answer('c#2', ok);
    expect(resultIn(history)).toMatchObject({ success: true });
  });

  it('that was interrupted has the result that a person tells', () => {
    const history = given().answer('c#1', failure('interrupted', false));
    history.signal('c-approval#1', { approved: false, result: { id: 7 } });
    expect(resultIn(history)).toEqual({ success: true, message: 'ok', data: { id: 7 } });
  });

  it('that was interrupted and is safe to repeat is made again, three times at most', () => {
    const history = given({ idempotent: true });
    for (const attempt of [1, 2, 3]) history.answer(`c#${attempt}`, failure('interrupted', true));
    expect(resultIn(history)).toEqual({ success: false, message: 'interrupted!' });
  });

  it('F-51: shows the model the first characters of a long result, and says so', () => {
    const result = { success: true as const, message: 'ok', data: { text: 'x'.repeat(100) } };
    const shown = shownResult(result, tool({ maxResultChars: 20 }));
    expect(shown).toEqual({
      success: true,
      message: 'truncated: the first 20 of 111 characters',
      data: `{"text":"${'x'.repeat(11)}`,
    });
    expect(shownResult({ ...result, data: null }, tool({ maxResultChars: 4 })).message).toBe('ok');
  });

  it('ends for every order of outcomes, is never made again unasked when it is unsafe, and replays', () => {
    const outcome = fc.constantFrom('ok', 'network', 'timeout', 'interrupted');
    const policy = fc.record({
      idempotent: fc.boolean(),
      needsApproval: fc.boolean(),
      maxAttempts: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        policy,
        fc.array(outcome, { minLength: 12, maxLength: 12 }),
        fc.boolean(),
        (rules, outcomes, approves) => {
          const history = given(rules);
          for (const next of [...outcomes, ...Array<string>(20).fill('ok')]) {
            const [[stepId, step] = ['', undefined]] = history.open;
            if (step?.kind === 'await') history.signal(stepId, { approved: approves });
            else if (step?.kind === 'timer') history.fire(stepId);
            else if (step)
              history.answer(
                stepId,
                next === 'ok'
                  ? ok
                  : failure(next, next === 'network' || (next === 'interrupted' && rules.idempotent)),
              );
          }
          expect(history.end?.status).toBe('completed');
          expect(rules.idempotent ? [] : unaskedRepeats(history)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The requests right after an interruption, without an approval in between. */
function unaskedRepeats(history: RunHistory): readonly unknown[] {
  return history.recorded.filter(({ type }, index, all) => {
    const before = all[index - 1];
    const { failure: earlier } = (before?.data ?? {}) as { failure?: ActivityFailure };
    return type === 'ToolCallRequested' && earlier?.kind === 'interrupted';
  });
}
