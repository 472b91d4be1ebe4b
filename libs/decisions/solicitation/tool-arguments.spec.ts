import { describe, expect, it } from '@jest/globals';
import type { Json } from '#lib/kernel';
import type { InvalidArgumentsPolicy } from '#lib/decisions/machines';
import type { OfferedTransitions } from './build-tools.js';
import { callsOf, endOf, fallbacksOf, ladder } from './testing/ladder.js';
import { decision, httpReply, noReply, text, toolCall, toolCalls } from './testing/scripted-replies.js';
import { enriched } from './testing/ladder-start.js';

const wrong = { amount: 'five', note: 'x' };
const findings = [
  { path: '', keyword: 'additionalProperties', params: { additionalProperty: 'note' } },
  { path: '/amount', keyword: 'type', params: { type: 'number' } },
];
const notAnObject = [{ path: '', keyword: 'type', params: { type: 'object' } }];
const refund = { transitionName: 'refund', toState: 'refunded' };

function withPolicy(onInvalidArguments: InvalidArgumentsPolicy): { transitions: OfferedTransitions } {
  const { refund: tool, escalate } = enriched;
  if (typeof tool !== 'object' || escalate === undefined) throw new Error('refund is a tool');
  return { transitions: { refund: { ...tool, onInvalidArguments }, escalate } };
}

describe('rule 6: arguments that do not fit the parameters', () => {
  it('are accepted by default, and what does not fit is recorded', () => {
    for (const start of [{}, withPolicy('accept')]) {
      expect(endOf(ladder(start).replies(toolCall('refund', wrong))).data).toEqual({
        ...refund,
        reasoning: '',
        rung: 'tools',
        latencyMsec: 10,
        metaJson: wrong,
        argumentErrors: findings,
        argumentErrorCount: 2,
      });
    }
  });

  it('leave nothing behind when they fit', () => {
    const end = endOf(ladder(withPolicy('reask')).replies(toolCall('refund', { amount: 5 }))).data;
    expect(Object.keys(end)).toEqual([
      'transitionName',
      'toState',
      'reasoning',
      'rung',
      'latencyMsec',
      'metaJson',
    ]);
  });

  it('fail the solicitation when the policy is reject, without quoting them', () => {
    const events = ladder(withPolicy('reject')).replies(toolCall('refund', wrong));
    expect(callsOf(events)).toHaveLength(1);
    expect(endOf(events).data).toEqual({
      failure: {
        kind: 'invalid-arguments',
        message:
          'The arguments of the tool call "refund" do not fit: (root) additionalProperties, /amount type.',
      },
    });
  });

  it('are not checked when the transition has no parameters', () => {
    const events = ladder(withPolicy('reject')).replies(toolCall('escalate', { anything: [1] }));
    expect(endOf(events).data).toMatchObject({ metaJson: { anything: [1] } });
    expect(endOf(events).data).not.toHaveProperty('argumentErrors');
  });
});

describe('rules 6 and 17: arguments that are not a JSON object', () => {
  const malformed = ['{"amount":', '', 'null', '[]', '"x"', '5', '{} {}'];

  it.each(malformed)('are kept as text, give no metaJson, and say argumentsMalformed: %j', (raw) => {
    expect(endOf(ladder().replies(toolCall('refund', raw))).data).toEqual({
      ...refund,
      reasoning: '',
      rung: 'tools',
      latencyMsec: 10,
      argumentsMalformed: true,
      argumentsText: raw,
    });
  });

  it.each(malformed)('are invalid for the policies reject and reask: %j', (raw) => {
    const rejected = endOf(ladder(withPolicy('reject')).replies(toolCall('refund', raw)));
    expect(rejected.data).toMatchObject({ failure: { kind: 'invalid-arguments' } });
    const events = ladder(withPolicy('reask')).replies(
      toolCall('refund', raw),
      toolCall('refund', { amount: 5 }),
    );
    expect(events[3]?.data).toMatchObject({ reason: 'invalid-arguments', argumentErrors: notAnObject });
  });

  it('are so when they are nested beyond what an event can hold', () => {
    const raw = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    expect(endOf(ladder().replies(toolCall('refund', raw))).data).toMatchObject({ argumentsMalformed: true });
  });

  it('are so when they are missing', () => {
    const events = ladder().replies(toolCalls([{ type: 'function', function: { name: 'refund' } }]));
    expect(endOf(events).data).toMatchObject({ argumentsMalformed: true });
  });

  it('are read when a server sends the object itself in place of its text', () => {
    const call = { id: 'c', type: 'function', function: { name: 'refund', arguments: { amount: 5 } } };
    expect(endOf(ladder().replies(toolCalls([call]))).data).toMatchObject({ metaJson: { amount: 5 } });
  });
});

describe('arguments that come without a tool call', () => {
  const chosen = { transitionName: 'refund', toState: 'refunded', metaJson: wrong };

  it('X-T6: fail the solicitation with the policy reject, and no call follows', () => {
    for (const rung of [{ useTools: true }, { useTools: false }]) {
      const events = ladder({ ...withPolicy('reject'), ...rung }).replies(text(JSON.stringify(chosen)));
      expect(callsOf(events)).toHaveLength(1);
      expect(endOf(events).data).toMatchObject({
        failure: {
          kind: 'invalid-arguments',
          message: expect.stringContaining('the choice "refund" do not fit') as unknown,
        },
      });
    }
  });

  it('0.2-V3: with the policy reject the message names the member that is missing', () => {
    const missing = decision({ transitionName: 'refund', toState: 'refunded' });
    expect(endOf(ladder(withPolicy('reject')).replies(missing)).data).toMatchObject({
      failure: { message: expect.stringContaining('(root) required "amount" is missing') as unknown },
    });
  });

  describe.each([
    ['the text of a tools rung', { useTools: true }, 'decision'],
    ['the text rung', { modelId: 'gpt-test[tools=no]' }, 'text'],
    ['the structured rung', { modelParameters: { responseFormat: 'json_schema' } }, 'structured'],
  ] as const)('0.2-V3: with the policy reask, from %s', (_, rung, from) => {
    const start = { ...withPolicy('reask'), ...rung };

    it('are sent back once, with what is wrong, and the next answer counts', () => {
      const events = ladder(start).replies(
        text(JSON.stringify(chosen)),
        decision({ ...chosen, metaJson: { amount: 5 } }),
      );
      expect(fallbacksOf(events)).toContain(`${from} → reask: invalid-arguments`);
      const [first, second] = callsOf(events).map(({ requestBody }) => requestBody);
      const asked = second?.['messages'] as readonly Json[];
      expect(asked.slice(0, -2)).toEqual(first?.['messages']);
      expect(asked.at(-2)).toEqual({ role: 'assistant', content: JSON.stringify(chosen) });
      expect(JSON.stringify(asked.at(-1))).toContain('/amount');
      expect({ ...second, messages: null }).toEqual({ ...first, messages: null });
      expect(endOf(events).data).toMatchObject({ transitionName: 'refund', metaJson: { amount: 5 } });
    });

    it('fail the solicitation when they do not fit again', () => {
      const again = text(JSON.stringify(chosen));
      const events = ladder(start).replies(again, again);
      expect(callsOf(events)).toHaveLength(2);
      expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-arguments' } });
    });
  });

  it('X-T6: are taken as they are by default', () => {
    expect(endOf(ladder().replies(text(JSON.stringify(chosen)))).data).toMatchObject({ metaJson: wrong });
  });
});

describe('arguments that JSON text has and events cannot hold', () => {
  const raw = '{"amount":1e999}';

  it('X-T10: are malformed: accept stores none, reject fails', () => {
    const accepted = endOf(ladder().replies(toolCall('refund', raw))).data;
    expect(accepted).toMatchObject({ argumentsMalformed: true, argumentsText: raw });
    expect(accepted).not.toHaveProperty('metaJson');
    expect(endOf(ladder(withPolicy('reject')).replies(toolCall('refund', raw))).data).toMatchObject({
      failure: { kind: 'invalid-arguments' },
    });
  });

  it('X-T10: make a decision in text unreadable', () => {
    const decided = `{"transitionName":"refund","toState":"refunded","metaJson":${raw}}`;
    expect(fallbacksOf(ladder().replies(text(decided), text(decided)))[1]).toBe('decision → text: not-json');
  });
});

describe('the arguments of a tool that takes none', () => {
  it.each(['', '  '])('X-D4: are an empty object where the text of a call is %j', (raw) => {
    const end = endOf(ladder(withPolicy('reject')).replies(toolCall('escalate', raw))).data;
    expect(end).toMatchObject({ transitionName: 'escalate' });
    expect(end).not.toHaveProperty('argumentsMalformed');
    expect(end).not.toHaveProperty('metaJson');
  });
});

describe('many errors in one reply', () => {
  it('X-S2: are listed up to 20, and counted, also in the message of a failure', () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`unknown ${n}`, n]));
    const end = endOf(ladder().replies(toolCall('refund', { amount: 1, ...many }))).data;
    expect(end).toMatchObject({ argumentErrorCount: 3_000 });
    expect('argumentErrors' in end && end.argumentErrors).toHaveLength(20);
    const failed = endOf(
      ladder(withPolicy('reject')).replies(toolCall('refund', { amount: 1, ...many })),
    ).data;
    expect(failed).toMatchObject({
      failure: { message: expect.stringContaining('and 2980 more') as unknown },
    });
  });

  it('X-S2: are not repeated by the message of a reply that cannot be read', () => {
    const end = endOf(ladder().replies(text('x'.repeat(100_000)), text('x'.repeat(100_000))));
    expect(JSON.stringify(end).length).toBeLessThan(1_000);
  });
});

describe('reask: one more tool call that shows the model its errors', () => {
  const first = toolCall('refund', wrong, { content: 'Pay.', usage: { prompt_tokens: 10 }, durationMs: 7 });
  const start = withPolicy('reask');

  it('decides by the second call, on a rung of its own, with usage and latency of both', () => {
    const second = toolCall('refund', { amount: 5 }, { content: 'Better.', usage: { prompt_tokens: 20 } });
    const events = ladder(start).replies(first, second);
    expect(fallbacksOf(events)).toEqual(['tools → reask: invalid-arguments']);
    expect(events[3]?.data).toMatchObject({ argumentErrors: findings });
    expect(callsOf(events).map(({ rung, attempt }) => [rung, attempt])).toEqual([
      ['tools', 1],
      ['reask', 1],
    ]);
    expect(endOf(events).data).toEqual({
      ...refund,
      reasoning: 'Better.',
      rung: 'reask',
      metaJson: { amount: 5 },
      latencyMsec: 17,
      numInputTokens: 30,
    });
  });

  it('shows the call that did not fit and its errors, after the same messages and with the same tools', () => {
    const events = ladder(start).replies(first, toolCall('refund', { amount: 5 }));
    const [asked = {}, again = {}] = callsOf(events).map(({ requestBody }) => requestBody);
    expect(again).toEqual({
      ...asked,
      messages: [
        ...(asked['messages'] as unknown[]),
        {
          role: 'assistant',
          content: 'Pay.',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'refund', arguments: JSON.stringify(wrong) },
            },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: JSON.stringify({
            error: 'The arguments do not fit. Call the tool again with arguments that do.',
            problems: findings,
          }),
        },
      ],
    });
    expect(Object.keys(again)).toEqual(Object.keys(asked));
  });

  it('names a call that came without an id', () => {
    const call = { type: 'function', function: { name: 'refund', arguments: 'oops' } };
    const events = ladder(start).replies(toolCalls([call]), toolCall('escalate', {}));
    const messages = callsOf(events)[1]?.requestBody['messages'] as Record<string, unknown>[];
    expect(messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_0' });
    expect(messages.at(-2)).toMatchObject({
      tool_calls: [{ id: 'call_0', function: { arguments: 'oops' } }],
    });
  });

  it('happens once: arguments that do not fit again fail', () => {
    const events = ladder(start).replies(first, toolCall('refund', wrong));
    expect(callsOf(events)).toHaveLength(2);
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-arguments' } });
  });

  it('may choose another transition', () => {
    expect(endOf(ladder(start).replies(first, toolCall('escalate', {}))).data).toMatchObject({
      transitionName: 'escalate',
      rung: 'reask',
    });
  });

  it('fails on a name that no transition has', () => {
    const events = ladder(start).replies(first, toolCall('close', {}));
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-choice' } });
  });

  it('takes decision JSON in the text of its reply', () => {
    const events = ladder(start).replies(
      first,
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    expect(fallbacksOf(events)).toEqual([
      'tools → reask: invalid-arguments',
      'reask → decision: no-tool-call',
    ]);
    expect(endOf(events).data).toMatchObject({ transitionName: 'escalate', rung: 'decision' });
  });

  it('fails on text that holds no decision', () => {
    const events = ladder(start).replies(first, text('I cannot.'));
    expect(callsOf(events)).toHaveLength(2);
    expect(endOf(events).data).toEqual({
      failure: {
        kind: 'unreadable-decision',
        message: 'Failed to parse LLM proposer response: I cannot.',
      },
    });
  });

  it('fails on an HTTP error and on a reply that does not come', () => {
    const status = endOf(ladder(start).replies(first, httpReply(500, 'x')));
    expect(status.data).toMatchObject({ failure: { kind: 'http-error', upstreamStatus: 500 } });
    const silence = endOf(ladder(start).replies(first, noReply()));
    expect(silence.data).toMatchObject({ failure: { kind: 'network' } });
  });

  it('is repeated as it was when retries are on', () => {
    const events = ladder({ ...start, maxAttempts: 2 }).replies(
      first,
      noReply(),
      toolCall('refund', { amount: 5 }),
    );
    const [, again, retried] = callsOf(events);
    expect(retried).toMatchObject({
      rung: 'reask',
      attempt: 2,
      requestBody: again?.requestBody,
    });
    expect(endOf(events).data).toMatchObject({ rung: 'reask' });
  });
});

describe('X-D5: a tool that cannot be offered unchanged', () => {
  const parameters = { type: 'array', items: { type: 'number' } };
  const transitions = { 'pay all': { target: 'paid', parameters, onInvalidArguments: 'reject' as const } };
  const [call] = callsOf(ladder({ transitions }).replies(toolCall('pay all', { value: [] })));
  const [tool] = (call?.requestBody['tools'] ?? []) as readonly { function: { name: string } }[];
  const sent = tool?.function.name ?? '';

  it('is sent under another name, which its request records and its reply is read by', () => {
    const events = ladder({ transitions }).replies(toolCall(sent, { value: [1, 2] }));
    expect(events.find(({ type }) => type === 'LlmCallRequested')?.data).toMatchObject({
      toolNames: { [sent]: 'pay all' },
    });
    expect(endOf(events).data).toMatchObject({ transitionName: 'pay all', metaJson: { value: [1, 2] } });
  });

  it('is checked by the parameters of its own', () => {
    const events = ladder({ transitions }).replies(toolCall(sent, { value: ['one'] }));
    expect(endOf(events).data).toMatchObject({ failure: { kind: 'invalid-arguments' } });
  });

  it('asks for its reasoning beside them', () => {
    const asking = { transitions, askReasoning: true as const };
    const events = ladder(asking).replies(toolCall(sent, { value: [1], reasoning: 'Due.' }));
    expect(endOf(events).data).toMatchObject({ reasoning: 'Due.', metaJson: { value: [1] } });
  });
});
