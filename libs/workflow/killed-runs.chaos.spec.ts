import { describe, expect, it } from '@jest/globals';
import type { CallContext } from './activity/activity.js';
import type { RecordedEvent } from '#lib/kernel';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed } from './testing/echo.activity.js';
import { type Kill, killAtEveryAppend, type KilledRun, type KilledStory } from './testing/killed-run.js';

const TIMER_MS = 60_000;

/** One call, made again if it was interrupted. */
const child = plainWorkflow(
  (events) =>
    count(events, 'EchoCompleted') > 0
      ? [{ do: 'end', result: 'done' }]
      : [call(`ask#${count(events, 'EchoFailed') + 1}`)],
  'child',
);

/** Two children and a timer at the same time, then a note and the end. */
const parent = plainWorkflow((events) => {
  const steps = [
    { do: 'child', id: 'one', workflow: 'child', input: {} },
    { do: 'child', id: 'two', workflow: 'child', input: {} },
    { do: 'timer', id: 'pause', afterMs: TIMER_MS },
  ] as const;
  const isWaiting = count(events, 'ChildEnded') < 2 || count(events, 'TimerFired') < 1;
  if (isWaiting) return steps;
  if (count(events, 'Noted') === 0) return [{ do: 'record', event: { type: 'Noted', data: {} } }];
  return [{ do: 'end', result: { children: count(events, 'ChildEnded') } }];
}, 'parent');

function ends(all: readonly RecordedEvent[], type: string): readonly unknown[] {
  return all.flatMap((event) => (event.type === type ? [event.data] : []));
}

async function check({ setting, asked, all }: KilledRun) {
  const end = { status: 'completed', result: { children: 2 } };
  expect(ends(all, 'EndTaken')).toEqual([{ runId: asked.runId, end }]);
  expect(ends(all, 'ChildEnded')).toHaveLength(2);
  expect(ends(all, 'TimerFired')).toHaveLength(1);
  expect(setting.leases.held).toEqual([]);
  await setting.verify('parent', asked.runId);
  for (const { stream } of all.filter(({ stream }) => stream.includes('child-')))
    await setting.verify('child', stream.slice(stream.indexOf('-') + 1));
}

describe.each<Kill>(['before', 'after'])(
  'a parent with two children and a timer, killed %s an append',
  (when) => {
    it('ends as if nothing had happened, wherever it is killed: each call once, one delivery, the same replay', async () => {
      let calls: string[] = [];
      const story: KilledStory = {
        workflows: [parent, child],
        activities: (pass) => [
          echoActivity(async (request, { runId, stepId }: CallContext) => {
            calls.push(`${runId} ${stepId}`);
            await pass(1_000);
            return echoed(request);
          }),
        ],
        timerMs: TIMER_MS,
      };
      const appends = await killAtEveryAppend(story, when, async (run) => {
        await check(run);
        expect(new Set(calls).size).toBe(calls.length);
        calls = [];
      });
      expect(appends).toBeGreaterThan(9);
    });
  },
);
