import { describe, expect, it } from '@jest/globals';
import { echoActivity } from './testing/echo.activity.js';
import { purchase } from './testing/purchase.workflow.js';
import { RuntimeSetting } from './testing/runtime-setting.js';
import { WakeUp } from './wake-up.js';
import type { RunToWake } from './run-index.js';

const SWEEP_MS = 60_000;

/** @param wake gives the revision at which the run rests, if it rests */
async function startWakeUp(toWake: readonly RunToWake[], wake: (stream: string) => number | undefined) {
  const setting = new RuntimeSetting([purchase], [echoActivity()]);
  const { workflows, activities, time } = setting;
  const wakeUp = new WakeUp({
    log: setting.logOf(),
    time,
    activities,
    workflows,
    leases: { expired: () => Promise.resolve([]) },
    index: {
      toBegin: () => Promise.resolve([]),
      toWake: (_before, after) => Promise.resolve(after === '' ? toWake : []),
    },
    sweepMs: SWEEP_MS,
    wake: (stream) => Promise.resolve(wake(stream)),
    owned: { begin: () => Promise.resolve(), namedIn: () => [], noticed: () => undefined },
    unattended: { attended: (page) => Promise.resolve(page), swept: () => undefined },
    failed: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  await wakeUp.start();
  return { wakeUp, time };
}

describe('WakeUp', () => {
  it('a run at rest is looked at again by a sweep once its wake-up at its time has failed', async () => {
    const woken: number[] = [];
    const stream = 'redial_purchase-a-run';
    const { wakeUp, time } = await startWakeUp(
      [{ place: stream, stream, revision: 1, version: 1, updatedAt: 0, hasEnded: false }],
      () => {
        if (woken.push(time.now().getTime()) > 1) return undefined;
        wakeUp.wakeAt(stream, time.now().getTime() + 1.5 * SWEEP_MS);
        return 1;
      },
    );
    await time.pass(0);
    const [begun = 0] = woken;
    await time.pass(2 * SWEEP_MS);
    expect(woken.map((at) => (at - begun) / SWEEP_MS)).toEqual([0, 1.5, 2]);
    await wakeUp.stop();
  });

  it('wakes one run while 200,000 others wait for later times', async () => {
    const woken: string[] = [];
    const { wakeUp, time } = await startWakeUp([], (stream) => void woken.push(stream));
    const inSeconds = (seconds: number) => time.now().getTime() + seconds * 1000;
    for (let run = 0; run < 200_000; run++) wakeUp.wakeAt(`later-${run}`, inSeconds(30));
    wakeUp.wakeAt('sooner', inSeconds(10));
    await time.pass(20_000);
    expect(woken).toEqual(['sooner']);
    await wakeUp.stop();
  });
});
