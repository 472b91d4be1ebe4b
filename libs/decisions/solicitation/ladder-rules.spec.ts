import { describe, expect, it } from '@jest/globals';
import { callsOf, endOf, fallbacksOf, ladder } from './testing/ladder.js';
import { decision, httpReply, noReply, text, toolCall, toolCalls } from './testing/scripted-replies.js';
import { enriched, type LadderStart, plain } from './testing/ladder-start.js';

const refund = { transitionName: 'refund', toState: 'refunded' };
const escalate = { transitionName: 'escalate', toState: 'escalated' };
const bothRungs: [string, LadderStart][] = [
  ['tools', {}],
  ['text', { transitions: plain }],
];

describe('a tool call', () => {
  it('is none when tool_calls is []', () => {
    const events = ladder().replies(toolCalls([], { content: JSON.stringify(escalate) }));
    expect(fallbacksOf(events)).toEqual(['tools → decision: no-tool-call']);
    expect(endOf(events).data).toMatchObject(escalate);
  });

  it('has the reasoning "" when content is null beside it', () => {
    const events = ladder().replies(toolCall('escalate', {}, { content: null }));
    expect(endOf(events).data).toMatchObject({ reasoning: '' });
  });

  it('D-29, D-32: counts only when it is the first of several', () => {
    const call = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{}' } });
    const events = ladder().replies(toolCalls([call('escalate'), call('refund'), call('unknown')]));
    expect(endOf(events).data).toMatchObject(escalate);
    expect(callsOf(events)).toHaveLength(1);
  });

  it('without usage in the reply leaves the numbers of tokens absent, not zero', () => {
    const events = ladder().replies(toolCall('escalate', {}));
    expect(endOf(events).data).not.toHaveProperty('numInputTokens');
    expect(endOf(events).data).not.toHaveProperty('numOutputTokens');
  });

  it('on the text rung is ignored: no tool was offered there', () => {
    const events = ladder({ transitions: plain }).replies(toolCall('refund', {}, { content: 'Refund.' }));
    expect(endOf(events).data).toMatchObject({
      failure: { kind: 'unreadable-decision', message: 'Failed to parse LLM proposer response: Refund.' },
    });
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    'of %j fails like any unknown name',
    (name) => {
      const events = ladder().replies(toolCall(name, {}));
      expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-choice' } });
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'of %j is taken when a transition is called so',
    (name) => {
      const transitions = Object.fromEntries([
        [name, { target: 'odd', description: 'An odd name' }],
        ['other', { target: 'even' }],
      ]);
      const events = ladder({ transitions }).replies(toolCall(name, { why: 1 }));
      expect(endOf(events).data).toMatchObject({
        transitionName: name,
        toState: 'odd',
        metaJson: { why: 1 },
      });
    },
  );
});

describe('rule 5: usage and latency of a proposal', () => {
  it('D-31: are summed over all rungs, while each rung keeps its own', () => {
    const first = { usage: { prompt_tokens: 100, completion_tokens: 7 }, durationMs: 40 };
    const second = { usage: { prompt_tokens: 50, completion_tokens: 3 }, durationMs: 2 };
    const events = ladder().replies(text('Hm.', first), decision(escalate, second));
    expect(endOf(events).data).toMatchObject({
      latencyMsec: 42,
      numInputTokens: 150,
      numOutputTokens: 10,
    });
  });

  it('count what some reply reports, when another reports nothing', () => {
    const events = ladder().replies(text('Hm.', { usage: { prompt_tokens: 100 } }), decision(escalate));
    expect(endOf(events).data).toMatchObject({ numInputTokens: 100 });
    expect(endOf(events).data).not.toHaveProperty('numOutputTokens');
    const later = ladder().replies(text('Hm.'), decision(escalate, { usage: { completion_tokens: 0 } }));
    expect(endOf(later).data).toMatchObject({ numOutputTokens: 0 });
  });

  it('include the time of attempts that failed', () => {
    const events = ladder({ maxAttempts: 2 }).replies(
      noReply({ durationMs: 100 }),
      toolCall('escalate', {}, { durationMs: 11 }),
    );
    expect(endOf(events).data).toMatchObject({ latencyMsec: 111 });
  });

  it('are numbers that an event can hold', () => {
    const tokens =
      '{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"escalate","arguments":"{}"}}]}}],"usage":{"prompt_tokens":1e999,"completion_tokens":"4"}}';
    const events = ladder().replies(httpReply(200, tokens));
    expect(endOf(events).data).toEqual({ ...escalate, reasoning: '', rung: 'tools', latencyMsec: 10 });
  });
});

describe('rule 7: a choice', () => {
  it.each(bothRungs)(
    'that the state does not offer fails on the rung %s, with no second call',
    (_, start) => {
      const events = ladder(start).replies(decision({ transitionName: 'close', toState: 'closed' }));
      expect(endOf(events).data).toMatchObject({
        failure: {
          kind: 'invalid-choice',
          message:
            'The choice "close" does not match any transition of state "triage", which offers "refund", "escalate".',
        },
      });
    },
  );

  it.each(bothRungs)(
    'with a target that is not its own fails on the rung %s, with no second call',
    (_, start) => {
      const events = ladder(start).replies(decision({ transitionName: 'refund', toState: 'escalated' }));
      expect(endOf(events).data).toEqual({
        failure: {
          kind: 'invalid-choice',
          message: 'The choice "refund" names the state "escalated", but leads to "refunded".',
        },
      });
    },
  );

  it.each(['constructor', '__proto__', 'toString'])(
    'called %j is not found when nothing is called so',
    (name) => {
      const events = ladder().replies(decision({ transitionName: name, toState: 'refunded' }));
      expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-choice' } });
    },
  );

  it('in a state that offers nothing fails', () => {
    const events = ladder({ transitions: {} }).replies(decision(refund));
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-choice' } });
  });
});

describe('rule 15: a reply that is not a completion fails without fallback, even when retries are on', () => {
  it.each([
    [
      'a choice without message',
      { choices: [{ index: 0, finish_reason: 'content_filter' }] },
      'without a message',
    ],
    ['a choice that is null', { choices: [null] }, 'without a message'],
    ['zero choices', { choices: [] }, 'zero choices'],
    ['no choices', { id: 'x' }, 'no choices'],
    ['an error object under status 200', { error: { message: 'quota' }, choices: [] }, '{"message":"quota"}'],
    ['a body that is not JSON', '<html>busy</html>', '<html>busy</html>'],
    ['a body that is JSON but no object', '[1]', '[1]'],
    ['an empty body', '', 'not a JSON object'],
  ])('%s', (_, body, says) => {
    for (const start of [{ maxAttempts: 3 }, { maxAttempts: 3, transitions: plain }]) {
      const events = ladder(start).replies(httpReply(200, body));
      expect(callsOf(events)).toHaveLength(1);
      expect(fallbacksOf(events)).toEqual([]);
      const failure = { kind: 'unusable-reply', message: expect.stringContaining(says), upstreamStatus: 200 };
      expect(endOf(events).data).toEqual({ failure });
    }
  });
});

describe('rule 16: decision JSON', () => {
  it.each([
    ['white space', '\n {D} \n'],
    ['a code fence', '```json\n{D}\n```'],
    ['a code fence without a language', '```\n{D}\n```'],
    ['a code fence on one line', '```json {D} ```'],
    ['a longer code fence', '````\n{D}\n````'],
    ['a fence of tildes', '~~~\n{D}\n~~~'],
    ['a fence with Windows line ends', '```json\r\n{D}\r\n```'],
  ])('is read inside %s, on either rung', (_, frame) => {
    const content = frame.replace('{D}', JSON.stringify({ ...refund, reasoning: 'r' }));
    expect(endOf(ladder().replies(text(content))).data).toMatchObject({ ...refund, rung: 'decision' });
    const plainly = ladder({ transitions: plain }).replies(text(content));
    expect(endOf(plainly).data).toMatchObject({ ...refund, reasoning: 'r', rung: 'text' });
  });

  const unreadable: [string, string][] = [
    ['prose before it', `Sure: ${JSON.stringify(refund)}`],
    ['prose after it', `${JSON.stringify(refund)} Done.`],
    ['two fences', '```\n{}\n```\n```\n{}\n```'],
    ['an open fence', `\`\`\`json\n${JSON.stringify(refund)}`],
    ['a list', JSON.stringify([refund])],
    ['a text', '"refund"'],
    ['null', 'null'],
    ['nothing', ''],
    ['an empty transitionName', JSON.stringify({ ...refund, transitionName: '' })],
    ['an empty toState', JSON.stringify({ ...refund, toState: '' })],
    ['a transitionName that is no text', JSON.stringify({ ...refund, transitionName: 1 })],
    ['a toState that is no text', JSON.stringify({ ...refund, toState: null })],
    ['a reasoning that is no text', JSON.stringify({ ...refund, reasoning: 1 })],
    ['a metaJson that is no object', JSON.stringify({ ...refund, metaJson: [] })],
  ];

  it.each(unreadable)('is not read with %s: on the tools rung the text rung follows', (_, content) => {
    const events = ladder().replies(text(content), decision(escalate));
    expect(callsOf(events).map(({ rung }) => rung)).toEqual(['tools', 'text']);
    expect(endOf(events).data).toMatchObject(escalate);
  });

  it.each(unreadable)('D-31: is not read with %s: on the text rung that is the failure', (_, content) => {
    const failed = {
      kind: 'unreadable-decision',
      message: `Failed to parse LLM proposer response: ${content}`,
    };
    expect(endOf(ladder({ transitions: plain }).replies(text(content))).data).toEqual({ failure: failed });
    expect(endOf(ladder().replies(text('?'), text(content))).data).toEqual({ failure: failed });
  });

  it('is not read when it is nested beyond what an event can hold', () => {
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    const content = `{"transitionName":"refund","toState":"refunded","metaJson":${deep}}`;
    const events = ladder().replies(text(content), decision(escalate));
    expect(fallbacksOf(events)[1]).toBe('decision → text: not-json');
  });

  it('keeps an empty metaJson, which the model wrote on purpose', () => {
    const events = ladder().replies(decision({ ...refund, metaJson: {} }));
    expect(endOf(events).data).toMatchObject({ metaJson: {} });
  });
});

describe('mixed states', () => {
  const transitions = { ...enriched, wait: 'waiting', park: { target: 'parked' } };

  it('reach a plain transition by decision JSON beside the tools', () => {
    const events = ladder({ transitions }).replies(decision({ transitionName: 'wait', toState: 'waiting' }));
    expect(callsOf(events)).toHaveLength(1);
    expect(endOf(events).data).toMatchObject({
      transitionName: 'wait',
      toState: 'waiting',
      rung: 'decision',
    });
  });

  it('list the plain transitions in the message, and offer only the others as tools', () => {
    const [call] = callsOf(ladder({ transitions }).replies(toolCall('escalate', {})));
    expect(call?.requestBody).toMatchObject({
      messages: [{ content: expect.stringMatching(/\n- wait → waiting\n- park → parked$/) }, {}],
      tools: [{ function: { name: 'refund' } }, { function: { name: 'escalate' } }],
    });
    expect(JSON.stringify(call?.requestBody['messages'])).not.toContain('- refund');
  });

  it('take a tool call for a plain transition too: it is a transition of the state', () => {
    const events = ladder({ transitions }).replies(toolCall('wait', {}));
    expect(endOf(events).data).toMatchObject({ transitionName: 'wait', toState: 'waiting', rung: 'tools' });
  });
});
