import { describe, expect, it } from '@jest/globals';
import { callsOf, endOf, fallbacksOf, ladder, type Scripted } from './testing/ladder.js';
import {
  contextText,
  decision,
  functionThrows,
  httpReply,
  noReply,
  noWebhookReply,
  text,
  toolCall,
  webhookReply,
} from './testing/scripted-replies.js';
import { type LadderStart, plain } from './testing/ladder-start.js';

const chosen = toolCall('escalate', {});
const byWebhook = { strategyWebhookUrl: 'https://hooks.test/decide' };
const escalated = webhookReply(200, { transitionName: 'escalate', toState: 'escalated' });

describe('retries (rule 12)', () => {
  it.each([429, 500, 502, 503, 529])('are off with one attempt: HTTP %d is the end', (status) => {
    const events = ladder().replies(httpReply(status, 'busy'));
    expect(endOf(events).data).toMatchObject({ failure: { upstreamStatus: status } });
  });

  it('send the same body again', () => {
    const [first, second] = callsOf(ladder({ maxAttempts: 2 }).replies(httpReply(503, 'busy'), chosen));
    expect(second).toMatchObject({ stepId: 'tools#2', rung: 'tools', attempt: 2 });
    expect(second?.requestBody).toEqual(first?.requestBody);
  });

  it.each<[string, LadderStart, Scripted, Scripted]>([
    ['model', {}, noReply({ kind: 'interrupted' }), chosen],
    ['webhook', byWebhook, noWebhookReply({ kind: 'interrupted' }), escalated],
  ])('of a %s follow two interruptions, and do not count them', (_, start, interrupted, answer) => {
    const again = ladder({ ...start, maxAttempts: 1 }).replies(interrupted, interrupted, answer);
    expect(endOf(again)).toMatchObject({ status: 'completed', data: { transitionName: 'escalate' } });
    const lost = ladder({ ...start, maxAttempts: 5 }).replies(interrupted, interrupted, interrupted);
    expect(endOf(lost).data).toMatchObject({ failure: { kind: 'interrupted' } });
  });

  it('count attempts for each rung separately', () => {
    const events = ladder({ maxAttempts: 2 }).replies(
      httpReply(500, 'busy'),
      text('Hm.'),
      httpReply(500, 'busy'),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    expect(callsOf(events).map(({ rung, attempt }) => [rung, attempt])).toEqual([
      ['tools', 1],
      ['tools', 2],
      ['text', 1],
      ['text', 2],
    ]);
  });

  it('are for calls of models: a function that fails is not asked again', () => {
    const start = { maxAttempts: 3, context: { contextFnName: 'ticket' }, transitions: plain };
    const events = ladder(start).replies(functionThrows('no ticket'));
    expect(endOf(events).data).toEqual({ failure: { kind: 'function', message: 'no ticket' } });
  });

  it('do not ask the context function again', () => {
    const events = ladder({ maxAttempts: 2, context: { contextFnName: 'ticket' } }).replies(
      contextText('Ticket 7'),
      httpReply(500, 'busy'),
      chosen,
    );
    const [first, second] = callsOf(events);
    expect(second?.requestBody).toEqual(first?.requestBody);
  });
});

describe('a backup model', () => {
  const start = { backupModels: ['other/second'] };

  it('is asked on the same rung, then on the next ones', () => {
    const events = ladder(start).replies(
      httpReply(503, 'down'),
      text('Hm.'),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    expect(fallbacksOf(events)).toEqual([
      'gpt-test → other/second: http-error',
      'tools → decision: no-tool-call',
      'decision → text: not-json',
    ]);
    expect(callsOf(events).map(({ rung, requestBody }) => [rung, requestBody['model']])).toEqual([
      ['tools', 'gpt-test'],
      ['tools', 'other/second'],
      ['text', 'other/second'],
    ]);
  });

  it('that takes no tools is asked for text, and its decision is read', () => {
    const events = ladder({ backupModels: ['second[tools=no]'] }).replies(
      noReply(),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    const [, second] = callsOf(events);
    expect(second).toMatchObject({ rung: 'tools', requestBody: { model: 'second' } });
    expect(second?.requestBody).not.toHaveProperty('tools');
    expect(endOf(events).data).toMatchObject({ transitionName: 'escalate', rung: 'decision' });
  });
});

describe('what a provider refuses', () => {
  it('tools: the model is asked for text on the same rung, and not offered tools again', () => {
    const error = { error: { message: 'This model does not support tools.' } };
    const events = ladder().replies(
      httpReply(400, error),
      text('Hm.'),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    expect(fallbacksOf(events)[0]).toBe('tools → none: tools-refused');
    const [first, second] = callsOf(events);
    expect(first?.requestBody).toHaveProperty('tools');
    expect(second?.requestBody).not.toHaveProperty('tools');
    expect(second?.requestBody).not.toHaveProperty('tool_choice');
    expect(endOf(events).status).toBe('completed');
  });

  it('a parameter: it is left out on the rungs below, too', () => {
    const error = { error: { param: 'temperature', message: 'Unsupported value' } };
    const events = ladder().replies(
      httpReply(400, error),
      text('Hm.'),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    const sent = callsOf(events).map(({ requestBody }) => 'temperature' in requestBody);
    expect(sent).toEqual([true, false, false]);
  });
});
