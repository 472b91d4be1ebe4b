import { describe, expect, it } from '@jest/globals';
import {
  callsOf,
  contextText,
  decision,
  endOf,
  functionThrows,
  httpReply,
  ladder,
  noReply,
  plain,
  text,
  toolCall,
} from './testing/index.js';

const chosen = toolCall('escalate', {});

describe('retries (rule 12)', () => {
  it.each([429, 500, 502, 503, 529])('are off by default: HTTP %d is the end', (status) => {
    const events = ladder().replies(httpReply(status, 'busy'));
    expect(endOf(events).data).toMatchObject({ failure: { upstreamStatus: status } });
  });

  it.each([429, 500, 502, 503, 529])(
    'ask again after HTTP %d, each attempt a recorded call of its own',
    (status) => {
      const events = ladder({ maxAttempts: 2 }).replies(httpReply(status, 'busy'), chosen);
      const [first, second] = callsOf(events);
      expect(second).toEqual({ ...first, attempt: 2, delayMs: 500, stepId: second?.stepId });
      expect(second?.stepId).not.toBe(first?.stepId);
      expect(endOf(events).status).toBe('completed');
    },
  );

  it.each([400, 401, 403, 404, 408, 422, 302])('do not ask again after HTTP %d', (status) => {
    const events = ladder({ maxAttempts: 3 }).replies(httpReply(status, 'no'));
    expect(endOf(events).data).toMatchObject({ failure: { upstreamStatus: status } });
  });

  it.each([
    ['network', true],
    ['timeout', true],
    ['interrupted', true],
  ] as const)('ask again after a failure of the kind %s', (kind, retryable) => {
    const events = ladder({ maxAttempts: 2 }).replies(noReply({ kind, retryable }), chosen);
    expect(endOf(events).status).toBe('completed');
  });

  it('do not ask again after what cannot be repeated', () => {
    const unusable = noReply({ kind: 'unusable', message: 'too large', retryable: false });
    expect(endOf(ladder({ maxAttempts: 3 }).replies(unusable)).data).toEqual({
      failure: { kind: 'unusable-reply', message: 'too large' },
    });
  });

  it('end with the last failure once the attempts are used up', () => {
    const events = ladder({ maxAttempts: 3 }).replies(
      httpReply(429, 'one'),
      noReply(),
      httpReply(503, 'three'),
    );
    expect(callsOf(events).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(endOf(events).data).toMatchObject({ failure: { message: 'LLM API error (503): three' } });
  });

  it('double the wait from attempt to attempt, up to half a minute', () => {
    const busy = Array.from({ length: 9 }, () => httpReply(500, 'busy'));
    const events = ladder({ maxAttempts: 9 }).replies(...busy);
    expect(callsOf(events).map(({ delayMs }) => delayMs)).toEqual([
      0, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    ['3600', 30_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 500],
    ['-1', 500],
    ['1.5', 500],
    ['', 500],
  ])('wait as long as retry-after %j says, where that is a number of seconds', (after, delayMs) => {
    const events = ladder({ maxAttempts: 2 }).replies(
      httpReply(429, 'busy', { headers: { 'retry-after': after } }),
      chosen,
    );
    expect(callsOf(events)[1]?.delayMs).toBe(delayMs);
  });

  it('count attempts for each rung anew', () => {
    const events = ladder({ maxAttempts: 2 }).replies(
      httpReply(500, 'busy'),
      text('Hm.'),
      httpReply(500, 'busy'),
      decision({ transitionName: 'escalate', toState: 'escalated' }),
    );
    expect(callsOf(events).map(({ rung, attempt, delayMs }) => [rung, attempt, delayMs])).toEqual([
      ['tools', 1, 0],
      ['tools', 2, 500],
      ['text', 1, 0],
      ['text', 2, 500],
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
