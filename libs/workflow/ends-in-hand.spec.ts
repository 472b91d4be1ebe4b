import { expect, it } from '@jest/globals';
import { changedStore } from '#lib/event-store/testing';
import { derivedId } from '#lib/kernel';
import { call, count, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity } from './testing/echo.activity.js';
import { RuntimeSetting } from './testing/runtime-setting.js';
import type { Step } from './workflow.js';

const CHILDREN = Array.from({ length: 40 }, (_, index) => `x${index}`);

const child = plainWorkflow(
  (events) => (count(events, 'EchoCompleted') ? [{ do: 'end', result: 'done' }] : [call('a')]),
  'child',
);
const open = CHILDREN.map((id): Step => ({ do: 'child', id, workflow: 'child', input: {} }));
const parent = plainWorkflow(
  (events) => (count(events, 'ChildEnded') === open.length ? [{ do: 'end', result: 'all' }] : open),
  'parent',
);

it('children of one process that end together are recorded in their parent in few appends, without a conflict', async () => {
  const setting = new RuntimeSetting([parent, child], [echoActivity()]);
  let appends = 0;
  let refused = 0;
  const store = changedStore(setting.memory, {
    append: async (stream, expected, events) => {
      if (events.some(({ type }) => type === 'ChildEnded')) appends += 1;
      return setting.memory.append(stream, expected, events).catch((error: unknown) => {
        refused += 1;
        throw error;
      });
    },
  });
  const runtime = setting.process({ store });
  await runtime.start();
  const runId = await setting.begin(runtime, 'parent');
  while (!(await setting.endOf('parent', runId))) await setting.time.pass(0);
  expect(refused).toBe(0);
  expect(appends).toBeLessThan(CHILDREN.length / 2);
  await setting.verify('parent', runId);
  const ends = (await setting.history('parent', runId)).filter(({ type }) => type === 'ChildEnded');
  const starts = CHILDREN.map(
    async (id) => (await setting.history('child', derivedId(runId, id)))[0]?.eventId,
  );
  expect(new Set(ends.map(({ metadata }) => metadata.causationId))).toEqual(
    new Set(await Promise.all(starts)),
  );
  await runtime.stop(0);
});
