import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { type EventStore, StoreUnavailable } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import type { RecordedEvent } from '#lib/kernel';
import { count, plainWorkflow } from './testing/plain-workflow.js';
import { RuntimeSetting } from './testing/runtime-setting.js';
import type { ChildEnded } from './runtime.events.js';
import type { Step } from './workflow.js';

const CHILDREN = 40;
const AT_ONCE = 32;

const child = plainWorkflow(() => [{ do: 'timer', id: 't', afterMs: 60_000 }], 'child');

/** A parent with 40 children of this workflow. It ends once all of them have ended. */
function parentOf(workflow: string) {
  const open = Array.from({ length: CHILDREN }, (_, index): Step => {
    return { do: 'child', id: `x${index}`, workflow, input: {} };
  });
  return plainWorkflow(
    (events) => (count(events, 'ChildEnded') === CHILDREN ? [{ do: 'end', result: 'all' }] : open),
    'parent',
  );
}

/** The store, with `start` in place of the appends that start children. */
function withStarts(
  memory: EventStore,
  start: (append: () => ReturnType<EventStore['append']>) => ReturnType<EventStore['append']>,
) {
  return changedStore(memory, {
    append: (stream, expected, events) => {
      const append = () => memory.append(stream, expected, events);
      const isStart = stream.includes('child') && events[0]?.type === 'WorkflowStarted';
      return isStart ? start(append) : append();
    },
  });
}

it('children that open together are started at the same time, and no more than a bound', async () => {
  const setting = new RuntimeSetting([parentOf('child'), child], []);
  let inFlight = 0;
  const seen = { most: 0, starts: 0 };
  const store = withStarts(setting.memory, async (append) => {
    seen.starts += 1;
    seen.most = Math.max(seen.most, ++inFlight);
    await setImmediate();
    inFlight -= 1;
    return append();
  });
  const runtime = setting.process({ store });
  await runtime.start();
  await setting.begin(runtime, 'parent');
  while (seen.starts < CHILDREN) await setting.time.pass(0);
  expect(seen).toEqual({ most: AT_ONCE, starts: CHILDREN });
  await runtime.stop(0);
});

it('refused starts of children are recorded in the order of the steps, and do not conflict with each other', async () => {
  const setting = new RuntimeSetting([parentOf('missing')], []);
  const conflicts: unknown[] = [];
  const store = changedStore(setting.memory, {
    append: (stream, expected, events) =>
      setting.memory.append(stream, expected, events).catch((error: unknown) => {
        conflicts.push(error);
        throw error;
      }),
  });
  const runtime = setting.process({ store });
  await runtime.start();
  const runId = await setting.begin(runtime, 'parent');
  while (!(await setting.endOf('parent', runId))) await setting.time.pass(0);
  const history = (await setting.history('parent', runId)) as readonly RecordedEvent<ChildEnded>[];
  const ends = history.filter(({ type }) => type === 'ChildEnded');
  expect(ends.map(({ data }) => data.stepId)).toEqual(Array.from({ length: CHILDREN }, (_, n) => `x${n}`));
  expect(conflicts).toEqual([]);
  await runtime.stop(0);
});

it('once a start of a child has failed, no other is tried before the next turn of the run', async () => {
  const setting = new RuntimeSetting([parentOf('child'), child], []);
  const seen = { failed: 0, started: 0 };
  let isDown = true;
  const store = withStarts(setting.memory, async (append) => {
    // A start that is counted as failed fails, even if the store is back before its append.
    const fails = isDown;
    seen[fails ? 'failed' : 'started'] += 1;
    await setImmediate();
    if (fails) throw new StoreUnavailable('cannot append', 'the disk is full', 'Make room');
    return append();
  });
  const runtime = setting.process({ store });
  await runtime.start();
  await setting.begin(runtime, 'parent');
  while (seen.failed < AT_ONCE) await setting.time.pass(0);
  for (let turn = 0; turn < 10; turn++) await setting.time.pass(0);
  // One turn of the run starts `AT_ONCE` children together; another event may give it a second turn.
  expect([AT_ONCE, 2 * AT_ONCE]).toContain(seen.failed);
  isDown = false;
  while (seen.started < CHILDREN) await setting.time.pass(1_000);
  expect(seen.started).toBe(CHILDREN);
  await runtime.stop(0);
});
