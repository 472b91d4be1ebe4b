import type { Activity } from '../activity/activity.js';
import { ActivityRegistry } from '../activity/activity-registry.js';
import { appendOneByOne, type EventLog, type EventStore } from '#lib/event-store';
import type { Json, RecordedEvent } from '#lib/kernel';
import type { AskedRun } from '../run-owner.js';
import type { WorkflowRuntime } from '../runtime.js';
import type { FactSources } from '../start-facts.js';
import type { RunIndex } from '../run-index.js';
import type { Workflow } from '../workflow.js';
import { FaultyProcess, NO_FAULTS } from './faulty-process.js';
import { Ledger } from './ledger.js';
import { LogRunIndex } from './log-run-index.js';
import { LEASE_MS, RuntimeSetting, SWEEP_MS } from './runtime-setting.js';

/** Killed before its append reaches the log, or before it gets the answer of the append. */
export type Kill = 'before' | 'after';

/** A run that a capability asks for, and the parts of its processes. */
export interface KilledStory {
  /** The capability asks for a run of the first one. */
  readonly workflows: readonly [Workflow, ...Workflow[]];
  readonly input?: Json;
  readonly facts?: FactSources;
  /** @param pass the time that an open call takes: it never returns if its process dies */
  readonly activities: (pass: FaultyProcess['pass']) => readonly Activity[];
  /** The time of the longest timer, in milliseconds. */
  readonly timerMs: number;
  /** Gives the answers of people to a run at rest. The run rests `RESTS` times in each process. */
  readonly people?: (setting: RuntimeSetting, runId: string) => Promise<void>;
}

const RESTS = 3;

/** The state after both processes. */
export interface KilledRun {
  readonly setting: RuntimeSetting;
  readonly asked: AskedRun;
  readonly all: readonly RecordedEvent[];
  /** False if the process made fewer appends. */
  readonly isKilled: boolean;
}

/** Plays the story in a process that is killed at its n-th append, and then in another process. */
export async function playKilled(story: KilledStory, killAt: number, when: Kill): Promise<KilledRun> {
  const { workflows, input = {}, facts = {}, timerMs } = story;
  const [{ name }] = workflows;
  const setting = new RuntimeSetting(
    workflows,
    story.activities(async () => undefined),
  );
  const { time, memory } = setting;
  const ledgerOn = (log: EventLog) => new Ledger(log, name, () => input);
  const whole = setting.logOf();
  const known = new LogRunIndex(whole, setting.activities, time);
  const index: RunIndex = {
    toWake: (before, after, limit) => known.toWake(before, after, limit),
    toBegin: async (after) => (after === '' ? ledgerOn(whole).open() : []),
  };
  const start = async (process: FaultyProcess, log: EventLog) => {
    const activities = new ActivityRegistry(story.activities((milliseconds) => process.pass(milliseconds)));
    const owned = ledgerOn(log);
    const owners = new Map([[name, owned]]);
    const runtime = setting.process({ log, owners, index, activities, facts, time: process.time() });
    await runtime.start();
    return { runtime, owned };
  };
  const killed = new FaultyProcess(time, () => 0.5, NO_FAULTS, 0);
  const { runtime: first, owned } = await start(killed, setting.logOf(killing(memory, killed, killAt, when)));
  const runId = setting.nextRunId();
  void owned
    .ask(runId, first)
    .then((asked) => first.finish(asked))
    .catch(() => undefined);
  await time.pass(2 * timerMs);
  const rests = async () => {
    for (let rest = 0; story.people && rest < RESTS; rest++) {
      await story.people(setting, runId);
      await time.pass(SWEEP_MS);
    }
  };
  await rests();
  const asked = await ledgerOn(whole).ask(runId);
  const isKilled = killed.isCrashed;
  if (!isKilled) await stopped(setting, first);
  const { runtime: second } = await start(new FaultyProcess(time, () => 0.5, NO_FAULTS, 0), whole);
  // The lease runs out, a sweep finds the run, the timers fire.
  await time.pass(LEASE_MS + 4 * SWEEP_MS + timerMs);
  await rests();
  const all = await whole.decodeAll(await memory.readAll({ limit: 10_000 }));
  await stopped(setting, second);
  return { setting, asked, all, isKilled };
}

/** Plays the story, killed at its first append, at its second, and so on. @returns the number of its appends */
export async function killAtEveryAppend(
  story: KilledStory,
  when: Kill,
  check: (run: KilledRun) => Promise<void>,
): Promise<number> {
  let appends = 0;
  for (let isKilled = true; isKilled; appends++) {
    const run = await playKilled(story, appends + 1, when);
    await check(run);
    ({ isKilled } = run);
  }
  return appends - 1;
}

function killing(store: EventStore, process: FaultyProcess, n: number, when: Kill): EventStore {
  let appends = 0;
  const never = new Promise<never>(() => undefined);
  const append: EventStore['append'] = async (...args) => {
    if (process.isCrashed) return never;
    appends += 1;
    if (appends < n) return store.append(...args);
    process.isCrashed = true;
    if (when === 'after') await store.append(...args);
    return never;
  };
  const appendInOrder: EventStore['appendInOrder'] = (inOrder) =>
    appendOneByOne(inOrder, ({ stream, expected, events }) => append(stream, expected, events));
  return { ...process.store(store), append, appendInOrder };
}

async function stopped({ time }: RuntimeSetting, process: WorkflowRuntime): Promise<void> {
  const stopping = process.stop(0);
  await time.pass(1_000);
  await stopping;
}
