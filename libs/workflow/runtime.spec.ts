import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type StreamHistory } from '#lib/event-store';
import { derivedId, type Json, randomIds, reject } from '#lib/kernel';
import { ChildRuns } from './child-runs.js';
import { RunLoader } from './load-run.js';
import type { Run } from './run.rules.js';
import type { ChildEnded } from './runtime.events.js';
import type { FactSources } from './start-facts.js';
import { RunStarter } from './start-run.js';
import { Ledger, LEDGER } from './testing/ledger.js';
import { call, count, noted, plainWorkflow } from './testing/plain-workflow.js';
import { echoActivity, echoed, failed } from './testing/echo.activity.js';
import { purchase } from './testing/purchase.workflow.js';
import { InMemoryLeases } from './testing/in-memory-leases.js';
import { RuntimeSetting } from './testing/runtime-setting.js';
import type { Seen, Step, Workflow } from './workflow.js';
import { KeptMap } from './kept-map.js';
import type { OpenStep } from './run.decider.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a run', () => {
  it('is driven to its end: call, record, await, signal', async () => {
    const setting = new RuntimeSetting([purchase], [echoActivity()]);
    const runtime = setting.process();
    await runtime.start();
    const runId = await setting.begin(runtime, 'purchase', { item: 'chair' });
    await setting.time.pass(0);
    expect(await setting.typesOf('purchase', runId)).toEqual([
      'WorkflowStarted',
      'EchoRequested',
      'EchoCompleted',
      'PriceChecked',
      'SignalAwaited',
    ]);
    expect(runtime.driven).toEqual([]);
    expect(setting.leases.held).toEqual([]);
    const answer = { metadata: setting.metadata() };
    await setting.commands.signal(runId, { signal: 'approve', payload: 'yes', by: 'ann' }, answer);
    await setting.time.pass(0);
    expect(await setting.endOf('purchase', runId)).toEqual({
      status: 'completed',
      result: { item: 'chair', price: 5, decision: 'yes' },
    });
    await setting.verify('purchase', runId);
    await runtime.stop(0);
    expect(setting.time.timers).toBe(0);
  });

  it('0.2-X1 that is started again is driven with the facts that the log holds, not with those of now', async () => {
    const rules = {
      input: {},
      facts: ['build'],
      initialState: ({ data }: Seen) => (data as { facts: Json }).facts,
      evolve: (facts: Json) => facts,
      next: (facts: Json): readonly Step[] => [{ do: 'end', result: facts }],
    };
    const built: Workflow<Json> = { name: 'built', versions: { 1: rules } };
    const setting = new RuntimeSetting([built], []);
    const { workflows, activities } = setting;
    const runId = setting.nextRunId();
    const request = { workflow: 'built', input: {}, runId, metadata: setting.metadata() };
    const log = setting.logOf();
    const parts = { log, workflows, activities, problemsOf: () => [], ids: randomIds };
    // Its process ends right after the start.
    await new RunStarter({ ...parts, facts: { build: () => 1 } }, new RunLoader(parts)).start(request);
    const runtime = setting.process({ facts: { build: () => 2 } });
    expect(await runtime.startRun(request)).toEqual({ stream: log.streams.of('built', runId) });
    await setting.time.pass(0);
    expect(await setting.endOf('built', runId)).toMatchObject({ result: { build: 1 } });
    await setting.verify('built', runId);
    await runtime.stop(0);
  });

  it('whose start is being recorded when its process stops is left to the next sweep: leases are closed then', async () => {
    const setting = new RuntimeSetting([purchase], [echoActivity()]);
    const acquire = () => Promise.reject(new StoreUnavailable('a lease', 'the store is closed', 'Open it'));
    const runtime = setting.process({ leases: Object.assign(new InMemoryLeases(setting.time), { acquire }) });
    const beginning = setting.begin(runtime, 'purchase', { item: 'chair' });
    await runtime.stop(0);
    expect(await setting.typesOf('purchase', await beginning)).toEqual(['WorkflowStarted']);
    await setting.time.pass(0);
    expect(setting.warnings).toEqual([]);
    const next = setting.process();
    await next.start();
    await setting.time.pass(0);
    expect(await setting.typesOf('purchase', await beginning)).toContain('SignalAwaited');
    await next.stop(0);
  });

  it('has the event from outside as the cause of all events that follow from it', async () => {
    const setting = new RuntimeSetting([purchase], [echoActivity()]);
    const runtime = setting.process();
    const runId = await setting.begin(runtime, 'purchase', { item: 'chair' });
    await setting.time.pass(0);
    const [start, request, outcome, ...derived] = await setting.history('purchase', runId);
    expect(request?.metadata.causationId).toBe(start?.eventId);
    expect(derived.map(({ type, metadata }) => [type, metadata.causationId])).toEqual([
      ['PriceChecked', outcome?.eventId],
      ['SignalAwaited', outcome?.eventId],
    ]);
    await runtime.stop(0);
  });

  it('wakes when its time has come', async () => {
    const setting = new RuntimeSetting([purchase], [echoActivity()]);
    const runtime = setting.process({ sweepMs: DAY_MS * 2 });
    await runtime.start();
    const runId = await setting.begin(runtime, 'purchase', { item: 'chair' });
    await setting.time.pass(DAY_MS - 1);
    expect(await setting.endOf('purchase', runId)).toBeUndefined();
    await setting.time.pass(1);
    expect(await setting.endOf('purchase', runId)).toMatchObject({ result: { decision: 'timeout' } });
    await runtime.stop(0);
  });

  it('waits for its children, and gets their ends', async () => {
    const child = plainWorkflow(
      (events) => (count(events, 'EchoCompleted') ? [{ do: 'end', result: 'done' }] : [call('a')]),
      'child',
    );
    const children: readonly Step[] = ['x', 'y'].map((id) => ({
      do: 'child',
      id,
      workflow: 'child',
      input: {},
    }));
    const parent = plainWorkflow(
      (events) => (count(events, 'ChildEnded') === 2 ? [{ do: 'end', result: 'both' }] : children),
      'parent',
    );
    const setting = new RuntimeSetting([parent, child], [echoActivity()]);
    const runtime = setting.process();
    await runtime.start();
    const runId = await setting.begin(runtime, 'parent');
    await setting.time.pass(0);
    expect(await setting.endOf('parent', runId)).toEqual({ status: 'completed', result: 'both' });
    await setting.verify('parent', runId);
    await runtime.stop(0);
  });
});

describe('a child that uses another stream', () => {
  const used = plainWorkflow(([start]) => [{ do: 'end', result: contextOf(start) }], 'child');
  const rules = {
    ...used.versions[1],
    facts: ['revisions'],
    contextOf: ({ events }: StreamHistory) => events.map(({ revision }) => revision),
    initialState: (start: Seen, context: Json = null) => [{ ...start, data: { ...start.data, context } }],
  };
  const child = { ...used, versions: { 1: rules } } as Workflow;
  const contextOf = (start?: Seen) => (start?.data as { context: Json } | undefined)?.context ?? null;
  const parentOf = (revision: number) => {
    const context = { stream: LEDGER, revision };
    return plainWorkflow(
      (events) =>
        count(events, 'ChildEnded') === 1
          ? [{ do: 'end', result: (events.at(-1) as Seen<ChildEnded>).data.result ?? null }]
          : [{ do: 'child', id: 'x', workflow: 'child', input: {}, context }],
      'parent',
    );
  };
  const facts: FactSources = {
    revisions: (_, used) => used.events.length,
  };

  it('gets its context and its facts from that stream, up to the revision that the parent names', async () => {
    const setting = new RuntimeSetting([parentOf(1), child], []);
    const ledger = new Ledger(setting.logOf(), 'parent');
    for (const _ of [1, 2, 3]) await ledger.ask(setting.nextRunId());
    const runtime = setting.process({ facts });
    await runtime.start();
    const runId = await setting.begin(runtime, 'parent');
    await setting.time.pass(0);
    expect(await setting.endOf('parent', runId)).toEqual({ status: 'completed', result: [0, 1] });
    const childId = derivedId(runId, 'x');
    const [start] = await setting.history('child', childId);
    expect(start?.data).toMatchObject({ facts: { revisions: 2 }, context: { stream: LEDGER, revision: 1 } });
    await setting.verify('parent', runId);
    await setting.verify('child', childId);
    await runtime.stop(0);
  });

  it('is not started, and its parent set aside, while that stream ends before the revision', async () => {
    const setting = new RuntimeSetting([parentOf(1), child], []);
    const ledger = new Ledger(setting.logOf(), 'parent');
    await ledger.ask(setting.nextRunId());
    const runtime = setting.process({ facts });
    await runtime.start();
    const runId = await setting.begin(runtime, 'parent');
    await setting.time.pass(0);
    expect(runtime.setAside).toMatchObject([
      { failure: expect.stringContaining('the stream ends before it') },
    ]);
    await ledger.ask(setting.nextRunId());
    await setting.time.pass(HOUR_MS);
    expect(await setting.endOf('parent', runId)).toEqual({ status: 'completed', result: [0, 1] });
    await runtime.stop(0);
  });
});

it('the open children of a run are started once each, however many they are and however often the run is woken', async () => {
  const waiting = plainWorkflow(() => [{ do: 'await', id: 'a', signal: 'go' }], 'parent');
  const setting = new RuntimeSetting([waiting], []);
  const runtime = setting.process();
  const runId = await setting.begin(runtime, 'parent');
  await setting.time.pass(0);
  const parent = (await runtime.run({ workflow: 'parent', runId })) as Run;
  const child = { kind: 'child', workflow: 'child', input: {}, cancelled: false } as const;
  const stepIds = Array.from({ length: 10_001 }, (_, index) => String(index));
  const withOpen = (ids: readonly string[]): Run => {
    const open = ids.reduce(
      (all, id) => all.with(id, { ...child, runId: `child-${id}` }),
      KeptMap.empty<OpenStep>(),
    );
    return { ...parent, steps: { ...parent.steps, open } };
  };
  const started: string[] = [];
  const { activities, time } = setting;
  const children = new ChildRuns(
    { log: setting.logOf(), activities, time },
    {
      isStopping: false,
      driverOf: () => undefined,
      startRun: (request) => {
        started.push(request.runId);
        return Promise.resolve({ stream: `redial_${request.runId}`, position: undefined });
      },
    },
  );
  for (const ids of [stepIds, stepIds, stepIds.slice(1), [...stepIds, 'new']]) {
    await children.tend(withOpen(ids));
  }
  // Those of one call are started together, in the order in which they get the thread.
  const [first, later] = [started.slice(0, stepIds.length), started.slice(stepIds.length)];
  expect(first.toSorted()).toEqual(stepIds.map((id) => `child-${id}`).toSorted());
  expect(later).toEqual(['child-0', 'child-new']);
  await runtime.stop(0);
});

it('a child that runs is not ended because another process would refuse to start it', async () => {
  const child = plainWorkflow(() => [{ do: 'await', id: 'a', signal: 'go' }], 'child');
  const rules = { ...child.versions[1], facts: ['price'] };
  const parent = plainWorkflow(
    (events) =>
      count(events, 'ChildEnded') === 1
        ? [{ do: 'end', result: 'over' }]
        : [{ do: 'child', id: 'x', workflow: 'child', input: {} }, call('a')],
    'parent',
  );
  const aborted = echoActivity(
    (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(failed('interrupted')))),
  );
  const setting = new RuntimeSetting([parent, { ...child, versions: { 1: rules } } as Workflow], [aborted]);
  const refusal = reject('refused', 'price', {
    errorClass: 'NoPrice',
    what: 'it',
    why: 'none',
    fix: 'Add it',
  });
  const first = setting.process({ facts: { price: () => 1 } });
  const runId = await setting.begin(first, 'parent');
  await setting.time.pass(0);
  const stopped = first.stop(0);
  await setting.time.pass(0);
  await stopped;
  const second = setting.process({ facts: { price: () => refusal } });
  await second.start();
  await setting.time.pass(HOUR_MS);
  expect(await setting.typesOf('child', derivedId(runId, 'x'))).toEqual(['WorkflowStarted', 'SignalAwaited']);
  expect(await setting.typesOf('parent', runId)).not.toContain('ChildEnded');
  await second.stop(0);
});

describe('calls', () => {
  it('beyond the limit wait for a slot, and timers pass them', async () => {
    const open: (() => void)[] = [];
    const activity = echoActivity(async (request) => {
      await new Promise<void>((resolve) => open.push(resolve));
      return echoed(request);
    });
    const workflow = plainWorkflow((events) =>
      count(events, 'EchoCompleted') === 3
        ? [{ do: 'end', result: 'done' }]
        : [call('a'), call('b'), { do: 'timer', id: 't', afterMs: DAY_MS }, call('c')],
    );
    const setting = new RuntimeSetting([workflow], [activity]);
    const runtime = setting.process({ callLimit: () => 1 });
    await runtime.start();
    const one = await setting.begin(runtime, 'plain');
    const other = await setting.begin(runtime, 'plain');
    await setting.time.pass(0);
    expect(open).toHaveLength(1);
    expect(await setting.typesOf('plain', other)).toEqual(['WorkflowStarted', 'TimerStarted']);
    for (let calls = 0; calls < 6; calls++) {
      open.shift()?.();
      await setting.time.pass(0);
      expect(open.length).toBeLessThan(2);
    }
    for (const runId of [one, other]) {
      expect(await setting.endOf('plain', runId)).toBeDefined();
      await setting.verify('plain', runId);
    }
    await runtime.stop(0);
  });

  it('that throw are recorded as failures of kind internal', async () => {
    const activity = echoActivity(() => Promise.reject(new Error('a bug')));
    const setting = new RuntimeSetting([purchase], [activity]);
    const runtime = setting.process();
    const runId = await setting.begin(runtime, 'purchase', { item: 'chair' });
    await setting.time.pass(0);
    const [, , outcome] = await setting.history('purchase', runId);
    expect(outcome?.data).toMatchObject({
      failure: { kind: 'internal', message: 'a bug', retryable: false },
    });
    await runtime.stop(0);
  });
});

describe('rules with a mistake', () => {
  it('set the run aside, and leave what came in the log', async () => {
    const workflow = plainWorkflow((events) =>
      count(events, 'EchoCompleted') ? [noted('again')] : [call('a')],
    );
    const setting = new RuntimeSetting([workflow], [echoActivity()]);
    const runtime = setting.process();
    const runId = await setting.begin(runtime, 'plain');
    await setting.time.pass(0);
    expect(await setting.typesOf('plain', runId)).toEqual([
      'WorkflowStarted',
      'EchoRequested',
      'EchoCompleted',
    ]);
    expect(runtime.setAside).toMatchObject([
      { attempts: 1, failure: expect.stringContaining('does not change') },
    ]);
    await runtime.stop(0);
  });
});

it('a log that is closed is followed no longer, and leaves the event loop free', async () => {
  const setting = new RuntimeSetting([purchase], [echoActivity()]);
  const runtime = setting.process();
  await runtime.start();
  await setting.memory.close();
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  await runtime.stop(0);
  expect(setting.time.timers).toBe(0);
});
