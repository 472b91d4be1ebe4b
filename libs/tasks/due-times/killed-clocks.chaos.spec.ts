import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#lib/kernel';
import {
  askingFor,
  type Kill,
  killAtEveryAppend,
  type KilledRun,
  type KilledStory,
} from '#lib/workflow/testing';
import { dueTimes } from './due-times.workflow.js';

/** The beginning of the virtual time. */
const SINCE = '2026-01-02T03:04:05.000Z';
const TASK = '3c1a2b7e-0000-4000-8000-000000000002';
const TIMER_MS = 60_000;

const times = {
  dueIn: 'PT20S',
  remindBefore: ['PT10S'],
  escalations: [{ in: 'PT30S', groups: ['leads'] }],
  expireIn: 'PT40S',
  onExpiry: { transition: 'refuse' },
};

const { onExpiry: _, ...waits } = times;
const question = { ...waits, onExpiry: { payload: 'no' } };
const asking = askingFor({});

/** The clock is in the input, as that of a child is. */
const storyOf = (clock: JsonObject): KilledStory => ({
  workflows: [dueTimes],
  input: { since: SINCE, taskId: TASK, ...clock },
  activities: () => [],
  timerMs: TIMER_MS,
});

const told = ({ all }: KilledRun) => all.flatMap(({ type }) => (type.startsWith('Task') ? [type] : []));
const ends = ({ all }: KilledRun) =>
  all.flatMap(({ type, data }) => (type === 'EndTaken' ? [(data as { end: object }).end] : []));

describe.each<Kill>(['before', 'after'])('a clock that is killed %s an append', (when) => {
  it('reminds, is due, escalates and expires, each once and in order, wherever it is killed', async () => {
    const appends = await killAtEveryAppend(storyOf({ times }), when, async (run) => {
      expect(told(run)).toEqual(['TaskReminded', 'TaskOverdue', 'TaskEscalated']);
      expect(ends(run)).toEqual([{ status: 'completed', result: { transition: 'refuse' } }]);
      expect(run.setting.leases.held).toEqual([]);
      await run.setting.verify('due_times', run.asked.runId);
    });
    expect(appends).toBeGreaterThan(4);
  });

  it('of a round ends once with the transition that is due first', async () => {
    const after = [
      { in: 'PT30S', transition: 'late' },
      { in: 'PT10S', transition: 'early' },
    ];
    await killAtEveryAppend(storyOf({ after }), when, async (run) => {
      expect(ends(run)).toEqual([{ status: 'completed', result: { transition: 'early' } }]);
      await run.setting.verify('due_times', run.asked.runId);
    });
  });

  it('of a question of a script: its moments happen once, and the question expires once', async () => {
    const story = { ...storyOf({}), workflows: [asking, dueTimes], input: question } as const;
    const appends = await killAtEveryAppend(story, when, async (run) => {
      expect(told(run)).toEqual(['TaskReminded', 'TaskOverdue', 'TaskEscalated']);
      expect(ends(run)).toMatchObject([{ status: 'completed', result: { payload: 'no', by: 'timer' } }]);
      expect(run.setting.leases.held).toEqual([]);
      await run.setting.verify('asking', run.asked.runId);
    });
    expect(appends).toBeGreaterThan(6);
  });
});
