import { expect, it } from '@jest/globals';
import { waitTaskId } from '#lib/workflow';
import { plainWorkflow, RunHistory } from '#lib/workflow/testing';
import { runTask } from './run-task.rules.js';

function taskWithin(timeoutMs: number) {
  const asking = plainWorkflow(() => [{ do: 'await', id: 'ok', signal: 'approval', timeoutMs }]);
  const history = RunHistory.of(asking, { input: {} });
  const { runId } = history.run;
  return runTask({ taskId: waitTaskId(runId, 'ok'), kind: 'approval', runId, stepId: 'ok' }, history.events);
}

it('a wait expires when its time-out is due', () => {
  expect(taskWithin(60_000)?.times).toEqual({ expiresAt: '2026-01-02T03:05:05.000Z', escalations: 0 });
});

it.each([Number.MAX_SAFE_INTEGER, 8_000 * 366 * 86_400_000])(
  'a wait whose time-out lies after the year 9999 never expires: %d ms',
  (timeoutMs) => {
    const task = taskWithin(timeoutMs);
    expect(task).toMatchObject({ status: 'open' });
    expect(task?.times?.expiresAt).toBeUndefined();
  },
);
