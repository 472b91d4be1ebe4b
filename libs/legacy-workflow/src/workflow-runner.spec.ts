import { beforeEach, describe, expect, it } from '@jest/globals';
import { type EventToStore, InMemoryEventStore, StoreUnavailable } from '#lib/event-store';
import { reject } from '#lib/kernel';
import { ErrandSetting, envelope, errandRun } from './testing/errand-setting.js';
import { brings, errand, type ErrandEvent, misses } from './testing/errand.workflow.js';
import { ScriptedActivities } from './testing/scripted-activities.js';
import { verifyWorkflow } from './verify-workflow.js';
import { CannotPerform, type WorkflowRunner } from './workflow-runner.js';

const requested = (shop: string, attempt = 1): ErrandEvent => ({
  type: 'GoodsRequested',
  data: { shop, attempt },
});

describe('WorkflowRunner', () => {
  let setting: ErrandSetting;
  let runner: WorkflowRunner;
  beforeEach(() => {
    setting = new ErrandSetting();
    runner = setting.runner('a');
  });

  it('brings a workflow to its end: each request, its outcome, and what follows from it', async () => {
    const stream = await setting.stream({ shops: ['baker', 'grocer'] });
    const activities = new ScriptedActivities(brings('bread'), brings('tea'));
    const end = await runner.run(errandRun(stream, activities));
    expect(end.data).toEqual({ basket: ['bread', 'tea'] });
    expect(await setting.types(stream)).toEqual([
      'ErrandStarted',
      'GoodsRequested',
      'GoodsBrought',
      'ShopLeft',
      'GoodsRequested',
      'GoodsBrought',
      'ShopLeft',
      'ErrandDone',
    ]);
    expect(activities.left).toBe(0);
  });

  it('performs each request once, after it was recorded', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const seen: string[] = [];
    const activities = new ScriptedActivities<ErrandEvent>(async (request) => {
      seen.push(...(await setting.types(stream)));
      return brings('bread')(request);
    });
    await runner.run(errandRun(stream, activities));
    expect(seen).toEqual(['ErrandStarted', 'GoodsRequested']);
    expect(activities.performed).toEqual([requested('baker')]);
  });

  it('answers with the end as it is recorded, and folds what is recorded, not what it was handed', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const goods = { baked: new Date(0), weight: Number.NaN, note: undefined };
    const end = await runner.run(errandRun(stream, new ScriptedActivities(brings(goods))));
    expect(end).toStrictEqual((await setting.history(stream)).at(-1));
    expect(end.data).toStrictEqual({ basket: [{ baked: '1970-01-01T00:00:00.000Z', weight: null }] });
  });

  it('says on whose behalf events are appended, and chains each to the one before', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    await runner.run(errandRun(stream, new ScriptedActivities(brings('bread'))));
    const [start, ...rest] = await setting.history(stream);
    const before = [start, ...rest].map((event) => event?.eventId);
    expect(rest.map(({ metadata }) => metadata)).toEqual(
      rest.map((_, index) => ({
        ...envelope,
        schemaVersion: 1,
        causationId: before[index],
        occurredAt: setting.clock.now().toISOString(),
      })),
    );
  });

  it('asks again, by the policy of the start event, with a request of its own', async () => {
    const stream = await setting.stream({ shops: ['baker'], attempts: 2 });
    const activities = new ScriptedActivities(misses(), brings('bread'));
    const end = await runner.run(errandRun(stream, activities));
    expect(end.type).toBe('ErrandDone');
    expect(activities.performed).toEqual([requested('baker', 1), requested('baker', 2)]);
  });

  it('makes histories that replay exactly', async () => {
    const stream = await setting.stream({ shops: ['baker', 'grocer'], attempts: 2 });
    await runner.run(errandRun(stream, new ScriptedActivities(misses(), brings('bread'), brings('tea'))));
    const verification = verifyWorkflow(errand, await setting.history(stream));
    expect(verification).toEqual({ derived: 6, given: 4, open: false });
  });

  it('gives the end of an ended workflow, and performs nothing', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const end = await runner.run(errandRun(stream, new ScriptedActivities(brings('bread'))));
    const again = await setting.runner('b').run(errandRun(stream, new ScriptedActivities()));
    expect(again).toEqual(end);
  });

  it('marks a request without an outcome as interrupted, and never performs it again by itself', async () => {
    const stream = await setting.stream({ shops: ['baker'] }, requested('baker'));
    const end = await runner.run(errandRun(stream, new ScriptedActivities()));
    expect(end).toMatchObject({ type: 'ErrandGivenUp', data: { why: 'interrupted' } });
    expect((await setting.history(stream))[2]).toMatchObject({
      type: 'GoodsMissed',
      data: { shop: 'baker', failure: { kind: 'interrupted', retryable: true, durationMs: 0 } },
    });
  });

  it('goes on after an interrupted request with the next attempt, where the start event allows it', async () => {
    const stream = await setting.stream({ shops: ['baker'], attempts: 2 }, requested('baker'));
    const activities = new ScriptedActivities(brings('bread'));
    await runner.run(errandRun(stream, activities));
    expect(activities.performed).toEqual([requested('baker', 2)]);
  });

  it('records nothing of what this process cannot perform, and goes on once it can', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    const activities = new ScriptedActivities(brings('bread'));
    const why = { errorClass: 'Configuration', what: 'a key', why: 'there is none', fix: 'Set one' };
    activities.refusal = reject('refused', 'configuration', why);
    await expect(runner.run(errandRun(stream, activities))).rejects.toThrow(CannotPerform);
    expect(await setting.types(stream)).toEqual(['ErrandStarted']);
    activities.refusal = undefined;
    expect((await runner.run(errandRun(stream, activities))).type).toBe('ErrandDone');
  });

  it('refuses a stream without a start event', async () => {
    await expect(runner.run(errandRun('nowhere', new ScriptedActivities()))).rejects.toThrow(CannotPerform);
  });

  it('lets an exception of an activity through as the bug it is; the request stays, and is marked later', async () => {
    const stream = await setting.stream({ shops: ['baker'] });
    await expect(runner.run(errandRun(stream, new ScriptedActivities()))).rejects.toThrow(/used up/);
    expect(await setting.types(stream)).toEqual(['ErrandStarted', 'GoodsRequested']);
    const end = await setting.runner('b').run(errandRun(stream, new ScriptedActivities()));
    expect(end.data).toEqual({ why: 'interrupted' });
  });

  it('holds the lease while it runs, and gives it back at the end and after a failure', async () => {
    const stream = await setting.stream({ shops: ['baker', 'grocer'] });
    const owners: (string | undefined)[] = [];
    const activities = new ScriptedActivities<ErrandEvent>((request) => {
      owners.push(setting.leases.ownerOf(stream));
      return brings('bread')(request);
    });
    await expect(runner.run(errandRun(stream, activities))).rejects.toThrow(/used up/);
    expect([...owners, setting.leases.ownerOf(stream)]).toEqual(['a', undefined]);
    await runner.run(errandRun(stream, new ScriptedActivities()));
    expect(setting.leases.ownerOf(stream)).toBeUndefined();
  });
});

/** Fails the append of outcomes a number of times, before it keeps them or after. */
class FailingStore extends InMemoryEventStore {
  failures = 0;
  keeps = false;

  override async append(
    stream: string,
    expected: Parameters<InMemoryEventStore['append']>[1],
    events: readonly EventToStore[],
  ) {
    const fails = events[0]?.type === 'GoodsBrought' && this.failures-- > 0;
    if (fails && this.keeps) await super.append(stream, expected, events);
    if (fails) throw new StoreUnavailable('the store', 'it is busy', 'Try again');
    return super.append(stream, expected, events);
  }
}

describe('WorkflowRunner on a store that fails', () => {
  it.each([false, true])(
    'appends an outcome once, however often it tries (kept at first: %s)',
    async (keeps) => {
      const store = new FailingStore();
      const setting = new ErrandSetting(store);
      const stream = await setting.stream({ shops: ['baker'] });
      const activities = new ScriptedActivities(brings('bread'));
      Object.assign(store, { failures: 2, keeps });
      await setting.runner('a').run(errandRun(stream, activities));
      expect(await setting.types(stream)).toEqual([
        'ErrandStarted',
        'GoodsRequested',
        'GoodsBrought',
        'ShopLeft',
        'ErrandDone',
      ]);
      expect(activities.performed).toHaveLength(1);
    },
  );

  it('leaves the workflow open when the outcome cannot be kept at all', async () => {
    const store = new FailingStore();
    const setting = new ErrandSetting(store);
    const stream = await setting.stream({ shops: ['baker'] });
    store.failures = 5;
    const run = setting.runner('a').run(errandRun(stream, new ScriptedActivities(brings('bread'))));
    await expect(run).rejects.toThrow(StoreUnavailable);
    expect(await setting.types(stream)).toEqual(['ErrandStarted', 'GoodsRequested']);
  });
});
