import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { changedStore } from '#lib/event-store/testing';
import { plainWorkflow } from './testing/plain-workflow.js';
import { RuntimeSetting } from './testing/runtime-setting.js';
import type { Step } from './workflow.js';

const CHILDREN = 40;
const AT_ONCE = 32;

it('children that open together are started at the same time, so that a flush of the log has many of them, and no more than a bound', async () => {
  const open = Array.from({ length: CHILDREN }, (_, index): Step => {
    return { do: 'child', id: `x${index}`, workflow: 'child', input: {} };
  });
  const waiting = plainWorkflow(() => [{ do: 'timer', id: 't', afterMs: 60_000 }], 'child');
  const setting = new RuntimeSetting([plainWorkflow(() => open, 'parent'), waiting], []);
  let inFlight = 0;
  const seen = { most: 0, starts: 0 };
  const store = changedStore(setting.memory, {
    append: async (stream, expected, events) => {
      if (!stream.includes('child') || events[0]?.type !== 'WorkflowStarted')
        return setting.memory.append(stream, expected, events);
      seen.starts += 1;
      seen.most = Math.max(seen.most, ++inFlight);
      await setImmediate();
      inFlight -= 1;
      return setting.memory.append(stream, expected, events);
    },
  });
  const runtime = setting.process({ store });
  await runtime.start();
  await setting.begin(runtime, 'parent');
  while (seen.starts < CHILDREN) await setting.time.pass(0);
  expect(seen).toEqual({ most: AT_ONCE, starts: CHILDREN });
  await runtime.stop(0);
});
