import { describe, expect, it } from '@jest/globals';
import { ActivityRegistry, type CallContext } from '#lib/activity';
import { appendOneByOne, type EventLog, type EventStore } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import type { WorkflowRuntime } from './runtime.js';
import { FaultyProcess, NO_FAULTS } from './testing/faulty-process.js';
import {
  call,
  count,
  echoActivity,
  echoed,
  Ledger,
  LEASE_MS,
  LogRunIndex,
  plainWorkflow,
  RuntimeSetting,
  SWEEP_MS,
} from './testing/index.js';
import type { RunIndex } from './wake-up.js';

const TIMER_MS = 60_000;
/** Enough for what is left to do after a kill: the lease runs out, a sweep finds the run, the timer fires. */
const RECOVERY_MS = LEASE_MS + 4 * SWEEP_MS + TIMER_MS;

/** One call, made again when it was interrupted. */
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

type Kill = 'before' | 'after';

/** A store whose process dies at the n-th append: before it reaches the log, or before the process learns that it did. */
function killing(store: EventStore, fault: FaultyProcess, n: number, when: Kill): EventStore {
  let appends = 0;
  const never = new Promise<never>(() => undefined);
  const append: EventStore['append'] = async (...args) => {
    if (fault.isCrashed) return never;
    appends += 1;
    if (appends < n) return store.append(...args);
    fault.isCrashed = true;
    if (when === 'after') await store.append(...args);
    return never;
  };
  const appendInOrder: EventStore['appendInOrder'] = (inOrder) =>
    appendOneByOne(inOrder, ({ stream, expected, events }) => append(stream, expected, events));
  return { ...fault.store(store), append, appendInOrder };
}

/** A parent that a capability asks for, in a process that is killed, and then in another one. */
async function played(killAt: number, when: Kill) {
  const setting = new RuntimeSetting([parent, child], [echoActivity()]);
  const { workflows, time, memory } = setting;
  const ledger = new Ledger(setting.logOf(), 'parent');
  const log = new LogRunIndex(setting.logOf(), workflows, setting.activities, time);
  const index: RunIndex = {
    toWake: (before, after, limit) => log.toWake(before, after, limit),
    toBegin: async (after) => (after === '' ? ledger.open() : []),
  };
  const calls: string[] = [];
  const start = async (fault: FaultyProcess, log: EventLog) => {
    const perform = async (request: Parameters<typeof echoed>[0], { runId, stepId }: CallContext) => {
      calls.push(`${runId} ${stepId}`);
      await fault.pass(1_000);
      return echoed(request);
    };
    const owned = new Ledger(log, 'parent');
    const activities = new ActivityRegistry([echoActivity(perform)]);
    const owners = new Map([['parent', owned]]);
    const process = setting.process({ log, owners, index, activities, time: fault.time() });
    await process.start();
    return { process, owned };
  };
  const killed = new FaultyProcess(time, () => 0.5, NO_FAULTS, 0);
  const { process: first, owned } = await start(killed, setting.logOf(killing(memory, killed, killAt, when)));
  const runId = setting.nextRunId();
  void owned
    .ask(runId, first)
    .then((asked) => first.finish(asked))
    .catch(() => undefined);
  await time.pass(2 * TIMER_MS);
  const asked = await ledger.ask(runId);
  const isKilled = killed.isCrashed;
  if (!isKilled) await stopped(setting, first);
  const calm = new FaultyProcess(time, () => 0.5, NO_FAULTS, 0);
  const { process: second } = await start(calm, setting.logOf());
  await time.pass(RECOVERY_MS);
  const all = await setting.logOf().decodeAll(await memory.readAll({ limit: 10_000 }));
  expect(setting.leases.held).toEqual([]);
  await stopped(setting, second);
  return { setting, asked, calls, all, isKilled };
}

async function stopped({ time }: RuntimeSetting, process: WorkflowRuntime): Promise<void> {
  const stopping = process.stop(0);
  await time.pass(1_000);
  await stopping;
}

function ends(all: readonly RecordedEvent[], type: string): readonly unknown[] {
  return all.flatMap((event) => (event.type === type ? [event.data] : []));
}

async function check({ setting, asked, calls, all }: Awaited<ReturnType<typeof played>>) {
  const end = { status: 'completed', result: { children: 2 } };
  expect(ends(all, 'EndTaken')).toEqual([{ runId: asked.runId, end }]);
  expect(ends(all, 'ChildEnded')).toHaveLength(2);
  expect(ends(all, 'TimerFired')).toHaveLength(1);
  expect(new Set(calls).size).toBe(calls.length);
  await setting.verify('parent', asked.runId);
  for (const { stream } of all.filter(({ stream }) => stream.includes('child-')))
    await setting.verify('child', stream.slice(stream.indexOf('-') + 1));
}

describe.each<Kill>(['before', 'after'])(
  'a parent with two children and a timer, killed %s an append',
  (when) => {
    it('ends as if nothing had happened, wherever it is killed: each call once, one delivery, the same replay', async () => {
      let appends = 0;
      for (let isKilled = true; isKilled; appends++) {
        const run = await played(appends + 1, when);
        await check(run);
        ({ isKilled } = run);
      }
      // The last round was not killed: every append before it was tried.
      expect(appends).toBeGreaterThan(10);
    });
  },
);
