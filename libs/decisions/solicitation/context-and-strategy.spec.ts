import { describe, expect, it } from '@jest/globals';
import { type Json, jsonText, sha256 } from '#lib/kernel';
import { callsOf, endOf, ladder } from './testing/ladder.js';
import {
  contextText,
  decision,
  functionThrows,
  strategyResult,
  text,
  toolCall,
} from './testing/scripted-replies.js';
import { ladderStart, plain } from './testing/ladder-start.js';

const refund = { transitionName: 'refund', toState: 'refunded' };

describe('the context of a model', () => {
  const byFunction = { context: { contextFnName: 'ticket' } };

  it('comes from a function that is requested and answered before the first call', () => {
    const events = ladder(byFunction).replies(contextText('Ticket 7: broken'), toolCall('escalate', {}));
    expect(events.slice(1, 4).map(({ type }) => type)).toEqual([
      'FunctionCallRequested',
      'FunctionCallCompleted',
      'LlmCallRequested',
    ]);
    expect(events[1]?.data).toEqual({
      stepId: 'context#1',
      fnName: 'ticket',
      purpose: 'context',
      attempt: 1,
      timeoutMs: 30_000,
      inputFrom: [{ context: '' }],
      inputSha256: sha256(jsonText(ladderStart().context)),
    });
    expect(callsOf(events)[0]).toMatchObject({
      stepId: 'tools#1',
      requestBody: { messages: [{}, { role: 'user', content: 'What next?\n\nTicket 7: broken' }] },
    });
  });

  it('is asked for once, for all rungs', () => {
    const events = ladder(byFunction).replies(contextText('Ticket 7: broken'), text('Hm.'), decision(refund));
    expect(events.filter(({ type }) => type === 'FunctionCallRequested')).toHaveLength(1);
    expect(JSON.stringify(callsOf(events)[1]?.requestBody)).toContain('Ticket 7: broken');
  });

  it('is not part of the latency', () => {
    const events = ladder(byFunction).replies(contextText('', 5000), toolCall('escalate', {}));
    expect(endOf(events).data).toMatchObject({ latencyMsec: 10 });
  });

  it('must be text', () => {
    const messageOf = (result: Json) => {
      const events = ladder(byFunction).replies(strategyResult(result));
      expect(callsOf(events)).toEqual([]);
      return endOf(events).data;
    };
    const failure = (type: string) => ({
      failure: { kind: 'function', message: `A context function must return text; it returned ${type}.` },
    });
    expect(messageOf(null)).toEqual(failure('null'));
    expect(messageOf({ text: 'Ticket 7' })).toEqual(failure('a object'));
  });

  it('fails the solicitation when its function throws, before any call', () => {
    const events = ladder(byFunction).replies(functionThrows('no ticket'));
    expect(callsOf(events)).toEqual([]);
    expect(endOf(events).data).toEqual({ failure: { kind: 'function', message: 'no ticket' } });
  });

  it('comes from a template over the context of the proposer, with no request of its own', () => {
    const history = [{ transitionName: 'open', fromState: 'new', toState: 'triage', reasoning: 'r' }];
    const events = ladder({
      context: { contextTemplate: '{{metaJson.text}}:{{#history}} {{fromState}}>{{toState}}{{/history}}' },
      metaJson: { text: '<b> & "c"' },
      history,
      prompt: '',
    }).replies(toolCall('escalate', {}));
    expect(events[1]?.type).toBe('LlmCallRequested');
    expect(callsOf(events)[0]?.requestBody['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: '<b> & "c": new>triage' },
    ]);
  });
});

describe('a strategy', () => {
  const byStrategy = { strategyFnName: 'firstAvailable' };
  const end = (result: Parameters<typeof strategyResult>[0]) =>
    endOf(ladder(byStrategy).replies(strategyResult(result))).data;

  it('is one activity by its name, built in or not', () => {
    const events = ladder(byStrategy).replies(strategyResult({ ...refund, reasoning: 'first' }));
    expect(events.slice(1).map(({ type, data }) => [type, data])).toEqual([
      [
        'FunctionCallRequested',
        {
          stepId: 'strategy#1',
          fnName: 'firstAvailable',
          purpose: 'strategy',
          attempt: 1,
          timeoutMs: 30_000,
          inputFrom: [{ context: '' }],
          inputSha256: sha256(jsonText(ladderStart().context)),
        },
      ],
      [
        'FunctionCallCompleted',
        {
          stepId: 'strategy#1',
          result: { ...refund, reasoning: 'first' },
          durationMs: 4,
        },
      ],
      [
        'WorkflowEnded',
        { status: 'completed', result: { ...refund, reasoning: 'first', rung: 'strategy', latencyMsec: 4 } },
      ],
    ]);
  });

  it('may leave out the target, the reasoning and everything else', () => {
    expect(end({ transitionName: 'refund' })).toEqual({
      ...refund,
      reasoning: '',
      rung: 'strategy',
      latencyMsec: 4,
    });
  });

  it('may say metaJson and what it cost; what it says of its time and tokens wins over what was measured', () => {
    const numbers = { costUSD: 0, latencyMsec: 99, numInputTokens: 1, numOutputTokens: 2 };
    expect(end({ ...refund, metaJson: { a: 1 }, ...numbers })).toEqual({
      ...refund,
      reasoning: '',
      rung: 'strategy',
      metaJson: { a: 1 },
      ...numbers,
    });
  });

  it.each([
    ['an unknown transition', { transitionName: 'close', toState: 'closed' }],
    ['a hostile name', { transitionName: 'constructor' }],
    ['another hostile name', { transitionName: '__proto__' }],
    ['a target that is not the transition’s', { transitionName: 'refund', toState: 'escalated' }],
    ['an empty target', { transitionName: 'refund', toState: '' }],
    ['a target that is no text', { transitionName: 'refund', toState: ['refunded'] }],
    ['no transition', { toState: 'refunded' }],
    ['a transition that is no text', { transitionName: 1 }],
    ['text', 'refund'],
    ['nothing', null],
    ['a list', [refund]],
  ])('fails when it returns %s', (_, result) => {
    expect(end(result)).toMatchObject({ failure: { kind: 'invalid-choice' } });
  });

  it('says what it returned that is not offered', () => {
    expect(end({ transitionName: 'close' })).toMatchObject({
      failure: {
        message: expect.stringMatching(/^The choice "close" does not match any transition of state/),
      },
    });
  });

  it.each([{ reasoning: 5 }, { metaJson: [1] }, { costUSD: '1' }, { numInputTokens: -1 }, { toState: null }])(
    'fails with a clear reason for %j beside a sound choice',
    (wrong) => {
      const [name = ''] = Object.keys(wrong);
      const failure = { kind: 'invalid-choice', message: expect.stringContaining(`unusable ${name}`) };
      expect(end({ ...refund, ...wrong })).toEqual({ failure });
    },
  );

  it('X-D10: may leave reasoning and metaJson null', () => {
    expect(end({ ...refund, reasoning: null, metaJson: null })).toEqual(end(refund));
  });

  it('is not taken at its word for members that a choice does not have', () => {
    expect(end({ ...refund, extra: true })).not.toHaveProperty('extra');
  });

  it('fails when it throws, with its message', () => {
    const events = ladder(byStrategy).replies(functionThrows('out of order'));
    expect(endOf(events).data).toEqual({ failure: { kind: 'function', message: 'out of order' } });
  });

  it('chooses plain transitions as well', () => {
    const events = ladder({ ...byStrategy, transitions: plain }).replies(strategyResult(refund));
    expect(endOf(events).data).toMatchObject(refund);
  });
});
