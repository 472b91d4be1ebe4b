import { describe, expect, it } from '@jest/globals';
import { callsOf, endOf, ladder } from './testing/ladder.js';
import {
  decision,
  functionThrows,
  httpReply,
  strategyResult,
  text,
  toolCall,
  webhookReply,
} from './testing/scripted-replies.js';

const refund = { transitionName: 'refund', toState: 'refunded' };
const price = { version: '2026', inputPerMillion: 2, outputPerMillion: 10 };
const usage = { prompt_tokens: 1000, completion_tokens: 100 };

describe('X-D7: what a solicitation cost', () => {
  it('D-32: is computed from the price in the start event, over all calls', () => {
    const events = ladder({ price }).replies(text('Hm.', { usage }), decision(refund, { usage }));
    expect(endOf(events).data).toMatchObject({ costUSD: expect.closeTo(0.006, 12) });
  });

  it('is known of a solicitation that failed, too', () => {
    const events = ladder({ price }).replies(text('Hm.', { usage }), httpReply(500, 'busy'));
    expect(endOf(events).data).toEqual({
      failure: expect.objectContaining({ kind: 'http-error' }),
      costUSD: expect.closeTo(0.003, 12),
    });
  });

  it('is absent without a price, and when no reply reports both usages', () => {
    const half = { prompt_tokens: 1000 };
    expect(endOf(ladder().replies(toolCall('escalate', {}, { usage }))).data).not.toHaveProperty('costUSD');
    expect(
      endOf(ladder({ price }).replies(toolCall('escalate', {}, { usage: half }))).data,
    ).not.toHaveProperty('costUSD');
  });

  it('is what a strategy says where it says so', () => {
    const events = ladder({ strategyFnName: 'own', price }).replies(
      strategyResult({ ...refund, costUSD: 7 }),
    );
    expect(endOf(events).data).toMatchObject({ costUSD: 7 });
  });

  it('is absent of a function that throws', () => {
    const events = ladder({ strategyFnName: 'own' }).replies(functionThrows('no'));
    expect(endOf(events).data).not.toHaveProperty('costUSD');
  });
});

describe('X-D8: exemplars in the start event', () => {
  const exemplar = {
    sessionId: 's',
    roundId: 'r',
    currentState: 'triage',
    transitionName: 'refund',
    toState: 'refunded',
    reasoning: 'It broke.',
    sessionMetaJson: { text: 'broken cup' },
    decidedAt: '2026-01-31T00:00:00.000Z',
  };
  const told = (contextTemplate: string, exemplars?: [typeof exemplar]) => {
    const start = { context: { contextTemplate }, ...(exemplars && { exemplars }) };
    return JSON.stringify(
      callsOf(ladder(start).replies(toolCall('escalate', {})))[0]?.requestBody['messages'],
    );
  };

  it('D-41: are there for templates, as a section or whole', () => {
    const template = '{{#exemplars}}{{sessionMetaJson.text}} -> {{transitionName}};{{/exemplars}}';
    expect(told(template, [exemplar])).toContain('broken cup -> refund;');
    expect(told('{{exemplars}}', [exemplar])).toContain('broken cup');
    expect(told('[{{exemplars}}]')).toContain('[]');
  });

  it('are sent to webhooks', () => {
    const start = { strategyWebhookUrl: 'https://hooks.test/decide', exemplars: [exemplar] };
    const events = ladder(start).replies(webhookReply(200, refund));
    expect(events[1]).toMatchObject({
      data: { requestBodyFrom: [{ context: '' }, { facts: '/exemplars', as: 'exemplars' }] },
    });
  });
});
