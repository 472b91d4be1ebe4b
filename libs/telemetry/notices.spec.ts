import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '#lib/kernel';
import { noticeOf, standsStillLine, stoppedLine } from './notices.rules.js';

const notice = (type: string, data: object, category = 'planner') =>
  noticeOf({ type, data } as RecordedEvent, { category, id: 'r', isInternal: category === 'solicitation' });

it('a call that failed, or was answered with no success, is a line that holds nothing of what came', () => {
  const failure = { kind: 'timeout', message: 'secret', retryable: true, durationMs: 1 };
  expect(notice('LlmCallFailed', { stepId: 'tools#1', failure }, 'solicitation')).toBe(
    'call failed: llm tools#1 of run r of solicitation: timeout',
  );
  expect(notice('WebhookCallCompleted', { stepId: 's#1', status: 503, body: 'secret' })).toBe(
    'call failed: webhook s#1 of run r of planner: status 503',
  );
  expect(notice('LlmCallCompleted', { stepId: 'tools#1', status: 200 })).toBeUndefined();
  expect(notice('ToolCallCompleted', { stepId: 't#1', result: {} })).toBeUndefined();
});

it('a turn to a person is a line: of a session, and of a run that is not part of one', () => {
  expect(notice('HumanInputRequested', { reason: 'no-quorum', detail: 'secret' }, 'session')).toBe(
    'session r waits for a person: no-quorum',
  );
  const awaited = { stepId: 'a', signal: 'approval', prompt: 'secret' };
  expect(notice('SignalAwaited', awaited)).toBe('run r of planner waits for approval (a)');
  expect(notice('SignalAwaited', awaited, 'solicitation')).toBeUndefined();
});

it('a projection that stops is one line, however long its reason', () => {
  const message = `cannot\nbe ${'x'.repeat(1_000)}`;
  const line = stoppedLine('runs', { message, type: 'TimerFired', stream: 's', revision: 3 });
  expect(line).toMatch(/^projection runs stopped at TimerFired, revision 3 of s: cannot be x+$/);
  expect(line.length).toBeLessThan(600);
});

it('0.2-O4: a stream whose rows stand still is one line, however long its reason', () => {
  const line = standsStillLine({ message: `A stream stands still before\nan event: ${'x'.repeat(1_000)}` });
  expect(line).toMatch(/^A stream stands still before an event: x+$/);
  expect(line.length).toBeLessThan(600);
});
