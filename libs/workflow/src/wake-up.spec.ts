import { expect, it } from '@jest/globals';
import { echoActivity, purchase, RuntimeSetting } from './testing/index.js';
import { WakeUp } from './wake-up.js';

const SWEEP_MS = 60_000;

it('a run at rest is looked at again by a sweep once its wake-up at its time has failed', async () => {
  const setting = new RuntimeSetting([purchase], [echoActivity()]);
  const { workflows, activities, time } = setting;
  const log = setting.logOf();
  const stream = log.streams.of('purchase', 'a-run');
  const woken: number[] = [];
  const wakeUp = new WakeUp({
    log,
    time,
    activities,
    workflows,
    leases: { expired: () => Promise.resolve([]) },
    index: {
      toBegin: () => Promise.resolve([]),
      toWake: (_before, after) => Promise.resolve(after === '' ? [{ stream, revision: 1 }] : []),
    },
    sweepMs: SWEEP_MS,
    wake: () => {
      if (woken.push(time.now().getTime()) > 1) return Promise.resolve(undefined);
      wakeUp.wakeAt(stream, time.now().getTime() + 1.5 * SWEEP_MS);
      return Promise.resolve(1);
    },
    owned: { begin: () => Promise.resolve(), noticed: () => undefined },
    failed: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  await wakeUp.start();
  await time.pass(0);
  const [begun = 0] = woken;
  await time.pass(2 * SWEEP_MS);
  expect(woken.map((at) => (at - begun) / SWEEP_MS)).toEqual([0, 1.5, 2]);
  await wakeUp.stop();
});
