import { describe, expect, it } from '@jest/globals';
import { callsOf, endOf, fallbacksOf, ladder } from './testing/ladder.js';
import { decision, httpReply, noReply, text, toolCall } from './testing/scripted-replies.js';
import { type LadderStart, plain } from './testing/ladder-start.js';

const usage = { prompt_tokens: 120, completion_tokens: 8 };
const refund = { transitionName: 'refund', toState: 'refunded' };
const spent = { latencyMsec: 10, numInputTokens: 120, numOutputTokens: 8 };

/** The events of a history, without the start. */
const typesOf = (events: ReturnType<ReturnType<typeof ladder>['replies']>) =>
  events.slice(1).map(({ type }) => type);

describe('the ladder, path by path', () => {
  it('case 25, D-23, D-30: a tool call with the name of a transition is that transition, its target, the arguments in metaJson', () => {
    const events = ladder().replies(toolCall('refund', { amount: 5 }, { content: 'It broke.', usage }));
    expect(typesOf(events)).toEqual(['LlmCallRequested', 'LlmCallCompleted', 'WorkflowEnded']);
    expect(endOf(events).data).toEqual({
      ...refund,
      reasoning: 'It broke.',
      metaJson: { amount: 5 },
      rung: 'tools',
      ...spent,
    });
  });

  it('case 26, D-23: a tool call with the arguments {} leaves metaJson absent', () => {
    const events = ladder().replies(toolCall('escalate', {}));
    expect(callsOf(events)).toHaveLength(1);
    expect(endOf(events).data).toEqual({
      transitionName: 'escalate',
      toState: 'escalated',
      reasoning: '',
      rung: 'tools',
      latencyMsec: 10,
    });
  });

  it('case 27, D-30: a tool call with an unknown name fails, says which transitions exist, and takes no fallback', () => {
    const events = ladder().replies(toolCall('refnud', { amount: 5 }));
    expect(typesOf(events)).toEqual(['LlmCallRequested', 'LlmCallCompleted', 'WorkflowEnded']);
    expect(endOf(events).data).toEqual({
      failure: {
        kind: 'invalid-choice',
        message:
          'The tool call "refnud" does not match any transition of state "triage", which offers "refund", "escalate".',
      },
    });
  });

  it('case 28, D-30: text that is decision JSON is taken from the text, with the tokens of the one call', () => {
    const events = ladder().replies(decision({ ...refund, reasoning: 'It broke.' }, { usage }));
    expect(typesOf(events)).toEqual([
      'LlmCallRequested',
      'LlmCallCompleted',
      'FallbackTaken',
      'WorkflowEnded',
    ]);
    expect(fallbacksOf(events)).toEqual(['tools → decision: no-tool-call']);
    expect(endOf(events).data).toEqual({ ...refund, reasoning: 'It broke.', rung: 'decision', ...spent });
  });

  it('case 29: decision JSON in the text keeps its metaJson', () => {
    const events = ladder().replies(decision({ ...refund, metaJson: { amount: 5 } }));
    expect(callsOf(events)).toHaveLength(1);
    expect(endOf(events).data).toMatchObject({ ...refund, reasoning: '', metaJson: { amount: 5 } });
  });

  it('case 30, D-30: text that is not JSON is followed by a fresh text-mode call that decides', () => {
    const events = ladder().replies(
      text('I would refund it.', { usage }),
      decision({ ...refund, metaJson: { amount: 5 } }, { usage }),
    );
    expect(typesOf(events)).toEqual([
      'LlmCallRequested',
      'LlmCallCompleted',
      'FallbackTaken',
      'FallbackTaken',
      'LlmCallRequested',
      'LlmCallCompleted',
      'WorkflowEnded',
    ]);
    expect(fallbacksOf(events)).toEqual(['tools → decision: no-tool-call', 'decision → text: not-json']);
    expect(callsOf(events).map(({ rung, attempt, delayMs }) => ({ rung, attempt, delayMs }))).toEqual([
      { rung: 'tools', attempt: 1, delayMs: 0 },
      { rung: 'text', attempt: 1, delayMs: 0 },
    ]);
    expect(endOf(events).data).toMatchObject({ ...refund, metaJson: { amount: 5 }, rung: 'text' });
  });

  it.each([
    ['toState', { transitionName: 'refund' }],
    ['transitionName', { toState: 'refunded' }],
  ])('case 31, D-30: JSON without %s is followed by a fresh text-mode call that decides', (_, partial) => {
    const events = ladder().replies(decision(partial), decision(refund));
    expect(callsOf(events)).toHaveLength(2);
    expect(fallbacksOf(events)[1]).toBe('decision → text: not-a-decision');
    expect(endOf(events).data).toMatchObject({ ...refund, rung: 'text' });
  });

  it('case 32, D-30: an HTTP error status fails with it, and takes no fallback', () => {
    const events = ladder().replies(httpReply(500, 'overloaded'));
    expect(typesOf(events)).toEqual(['LlmCallRequested', 'LlmCallCompleted', 'WorkflowEnded']);
    expect(endOf(events).data).toEqual({
      failure: { kind: 'http-error', message: 'LLM API error (500): overloaded', upstreamStatus: 500 },
    });
  });

  it('case 33, D-30: a network error fails with that error, and takes no fallback', () => {
    const events = ladder().replies(noReply({ message: 'connect ECONNREFUSED' }));
    expect(typesOf(events)).toEqual(['LlmCallRequested', 'LlmCallFailed', 'WorkflowEnded']);
    expect(endOf(events).data).toEqual({ failure: { kind: 'network', message: 'connect ECONNREFUSED' } });
  });

  it('case 34, D-30: with [tools=no] there are no tools in the request, and the flag is stripped from the model name', () => {
    const events = ladder({ modelId: 'gpt-test[tools=no]' }).replies(decision(refund));
    const [call] = callsOf(events);
    expect(call).toMatchObject({ rung: 'text', requestBody: { model: 'gpt-test' } });
    expect(call?.requestBody).not.toHaveProperty('tools');
    expect(call?.requestBody).not.toHaveProperty('tool_choice');
    expect(endOf(events).data).toMatchObject({ ...refund, rung: 'text' });
  });

  it('case 35: when no transition is enriched, the text path is the only one', () => {
    const events = ladder({ transitions: plain }).replies(decision(refund));
    expect(callsOf(events).map(({ rung }) => rung)).toEqual(['text']);
    expect(callsOf(events)[0]?.requestBody).not.toHaveProperty('tools');
    expect(endOf(events).data).toMatchObject(refund);
  });

  it('case 36: on the text path decision JSON keeps its metaJson', () => {
    const events = ladder({ transitions: plain }).replies(decision({ ...refund, metaJson: { a: [1] } }));
    expect(endOf(events).data).toMatchObject({ metaJson: { a: [1] }, rung: 'text' });
  });

  it('case 37: on the text path decision JSON without metaJson leaves it absent', () => {
    const events = ladder({ transitions: plain }).replies(decision(refund));
    expect(endOf(events).data).not.toHaveProperty('metaJson');
  });
});

describe('a ladder', () => {
  const everywhere: [string, LadderStart][] = [
    ['tools', {}],
    ['text', { transitions: plain }],
  ];

  it.each(everywhere)('fails with the HTTP status on the rung %s', (rung, start) => {
    const events = ladder(start).replies(httpReply(404, 'no such model'));
    expect(callsOf(events).map((call) => call.rung)).toEqual([rung]);
    expect(endOf(events).data).toMatchObject({
      failure: { message: 'LLM API error (404): no such model', upstreamStatus: 404 },
    });
  });

  it('of a test fails when its script is used up, or not used up', () => {
    expect(() => ladder().replies(text('?'))).toThrow(/no answer to/);
    expect(() => ladder().replies(toolCall('escalate', {}), text('?'))).toThrow(
      /1 answers of the script are left/,
    );
  });

  it('names its calls by rung and attempt', () => {
    const events = ladder({ maxAttempts: 2 }).replies(text('?'), noReply(), decision(refund));
    expect(callsOf(events).map(({ stepId }) => stepId)).toEqual(['tools#1', 'text#1', 'text#2']);
  });
});
