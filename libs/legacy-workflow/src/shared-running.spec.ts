import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryLeases } from '#lib/workflow/testing';
import { deferred, ErrandSetting, errandRun, LEASE_MS } from './testing/errand-setting.js';
import { brings, errand, type ErrandEvent, misses } from './testing/errand.workflow.js';
import { ScriptedActivities } from './testing/scripted-activities.js';
import { verifyWorkflow } from './verify-workflow.js';
import { RunnerStopped } from './workflow-runner.js';

/** Tells when somebody was refused a lease. */
class WatchedLeases extends InMemoryLeases {
  readonly refused = deferred();

  override async acquire(...wish: Parameters<InMemoryLeases['acquire']>) {
    const taken = await super.acquire(...wish);
    if (taken === undefined) this.refused.resolve();
    return taken;
  }
}

/** An outcome that waits until it is let go; `begun` says that its call is on the wire. */
function slow(outcome: (request: ErrandEvent) => ErrandEvent) {
  const [begun, released] = [deferred(), deferred()];
  const perform = async (request: ErrandEvent) => {
    begun.resolve();
    await released.promise;
    return outcome(request);
  };
  return { perform, begun: begun.promise, release: released.resolve };
}

/** An outcome that heeds the signal, as activities must. */
function abortable() {
  const begun = deferred();
  const perform = async (request: ErrandEvent, signal: AbortSignal) => {
    begun.resolve();
    await new Promise<unknown>((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    return misses({ kind: 'interrupted', durationMs: 7 })(request);
  };
  return { perform, begun: begun.promise };
}

let setting: ErrandSetting;
beforeEach(() => {
  setting = new ErrandSetting();
});

describe('a workflow that several ask for', () => {
  it('is joined by a second run() in the same process', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const runner = setting.runner('a');
    const activities = new ScriptedActivities(brings('bread'));
    const [one, two] = await Promise.all([
      runner.run(errandRun(stream, activities)),
      runner.run(errandRun(stream, new ScriptedActivities())),
    ]);
    expect(two).toBe(one);
    expect(activities.performed).toHaveLength(1);
  });

  it('is run by one of two processes: one call, one result for both', async () => {
    const leases = new WatchedLeases(setting.clock);
    const stream = await setting.stream({ shops: ['baker'] });
    const call = slow(brings('bread'));
    const activities = new ScriptedActivities(call.perform);
    const one = setting.runner('a', leases).run(errandRun(stream, activities));
    await call.begun;
    const two = setting.runner('b', leases).run(errandRun(stream, activities));
    await leases.refused.promise;
    call.release();
    expect(await two).toEqual(await one);
    expect(activities.performed).toHaveLength(1);
    expect(await setting.types(stream)).toHaveLength(5);
  });

  it('is taken over once the lease of its runner has expired, and both get the end of the second', async () => {
    const stream = await setting.stream({ shops: ['baker'], attempts: 2 });
    const call = slow(brings('stale bread'));
    const one = setting.runner('a').run(errandRun(stream, new ScriptedActivities(call.perform)));
    await call.begun;
    setting.clock.advance(LEASE_MS);
    const two = await setting.runner('b').run(errandRun(stream, new ScriptedActivities(brings('bread'))));
    call.release();
    expect(await one).toEqual(two);
    expect(two.data).toEqual({ basket: ['bread'] });
    expect(await setting.types(stream)).toEqual([
      'ErrandStarted',
      'GoodsRequested',
      'GoodsMissed',
      'GoodsRequested',
      'GoodsBrought',
      'ShopLeft',
      'ErrandDone',
    ]);
    expect(verifyWorkflow(errand, await setting.history(stream)).divergence).toBeUndefined();
  });

  it('is left to who took it over, also while that one is still at it', async () => {
    const stream = await setting.stream({ shops: ['baker'], attempts: 2 });
    const [first, second] = [slow(brings('stale bread')), slow(brings('bread'))];
    const one = setting.runner('a').run(errandRun(stream, new ScriptedActivities(first.perform)));
    await first.begun;
    setting.clock.advance(LEASE_MS);
    const two = setting.runner('b').run(errandRun(stream, new ScriptedActivities(second.perform)));
    await second.begun;
    first.release();
    second.release();
    expect(await one).toEqual(await two);
    expect((await two).data).toEqual({ basket: ['bread'] });
  });
});

describe('recovery', () => {
  it('takes up what nobody runs', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const end = await setting.runner('a').recover(errandRun(stream, new ScriptedActivities(brings('bread'))));
    expect(end?.type).toBe('ErrandDone');
  });

  it('leaves alone what is being run, here or in another process', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const call = slow(brings('bread'));
    const runner = setting.runner('a');
    const running = runner.run(errandRun(stream, new ScriptedActivities(call.perform)));
    await call.begun;
    const nothing = errandRun(stream, new ScriptedActivities());
    expect(await runner.recover(nothing)).toBeUndefined();
    expect(await setting.runner('b').recover(nothing)).toBeUndefined();
    call.release();
    const end = await running;
    expect(await setting.runner('b').recover(nothing)).toEqual(end);
  });

  it('begins nothing once the process is stopping, and takes no lease then', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const runner = setting.runner('a');
    await runner.stop(0);
    expect(await runner.recover(errandRun(stream, new ScriptedActivities()))).toBeUndefined();
    expect(setting.leases.ownerOf(stream)).toBeUndefined();
  });
});

describe('stop', () => {
  it('lets a call in flight finish, and begins no other', async () => {
    const stream = await setting.stream({ shops: ['baker', 'grocer'] });
    const call = slow(brings('bread'));
    const runner = setting.runner('a');
    const running = runner.run(errandRun(stream, new ScriptedActivities(call.perform)));
    await call.begun;
    const stopped = runner.stop(LEASE_MS);
    call.release();
    await expect(running).rejects.toThrow(RunnerStopped);
    await stopped;
    const atStop = ['ErrandStarted', 'GoodsRequested', 'GoodsBrought', 'ShopLeft'];
    expect(await setting.types(stream)).toEqual(atStop);
    const next = setting.runner('b').run(errandRun(stream, new ScriptedActivities(brings('tea'))));
    expect((await next).data).toEqual({ basket: ['bread', 'tea'] });
  });

  it('lets a workflow end whose last call is in flight', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const call = slow(brings('bread'));
    const runner = setting.runner('a');
    const running = runner.run(errandRun(stream, new ScriptedActivities(call.perform)));
    await call.begun;
    const stopped = runner.stop(LEASE_MS);
    call.release();
    expect((await running).type).toBe('ErrandDone');
    await stopped;
  });

  it('marks as interrupted what does not finish in time', async () => {
    const stream = await setting.stream({ shops: ['baker'], attempts: 2 });
    const call = abortable();
    const runner = setting.runner('a');
    const running = runner.run(errandRun(stream, new ScriptedActivities(call.perform)));
    await call.begun;
    const [, stopped] = await Promise.allSettled([runner.stop(1), running]);
    expect(stopped).toMatchObject({ reason: expect.any(RunnerStopped) });
    const last = (await setting.history(stream)).at(-1);
    expect(last).toMatchObject({ type: 'GoodsMissed', data: { failure: { kind: 'interrupted' } } });
    expect(setting.leases.ownerOf(stream)).toBeUndefined();
  });

  it('begins no workflow afterwards, and still gives the end of those that have one', async () => {
    const [open, ended] = [
      await setting.stream({ shops: ['baker'] }),
      await setting.stream({ shops: [] }, { type: 'ErrandDone', data: { basket: [] } }),
    ];
    const runner = setting.runner('a');
    await runner.stop(0);
    await expect(runner.run(errandRun(open, new ScriptedActivities()))).rejects.toThrow(RunnerStopped);
    expect(await setting.types(open)).toEqual(['ErrandStarted']);
    expect((await runner.run(errandRun(ended, new ScriptedActivities()))).type).toBe('ErrandDone');
  });
});
