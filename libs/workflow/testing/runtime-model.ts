import { expect } from '@jest/globals';
import fc from 'fast-check';
import { ActivityRegistry } from '../activity/activity-registry.js';
import type { Outcome } from '../activity/activity.js';
import type { EventLog } from '#lib/event-store';
import type { JsonObject, RecordedEvent } from '#lib/kernel';
import { foldSteps, type RunSteps } from '../run.decider.js';
import type { WorkflowRuntime } from '../runtime.js';
import type { RunIndex } from '../run-index.js';
import { echoActivity, echoed, failed } from './echo.activity.js';
import { type Faults, FaultyProcess, NO_FAULTS, type Random, randomOf } from './faulty-process.js';
import { Ledger } from './ledger.js';
import { LogRunIndex } from './log-run-index.js';
import {
  checkCalls,
  checkContexts,
  checkDeliveries,
  checkUnsafe,
  type Performed,
} from './runtime-invariants.js';
import { LEASE_MS, RuntimeSetting } from './runtime-setting.js';
import { arbitraryScript, scripted, type Stages } from './scripted-workflow.js';

export interface ModelCase {
  readonly scripts: readonly Stages[];
  readonly seed: number;
  readonly processes: number;
  readonly faults: Faults;
  readonly lagMs: number;
}

const share = (max: number) => fc.integer({ min: 0, max: max * 1_000 }).map((permille) => permille / 1_000);

export const arbitraryCase: fc.Arbitrary<ModelCase> = fc.record({
  scripts: fc.array(arbitraryScript, { minLength: 1, maxLength: 3 }),
  seed: fc.integer(),
  processes: fc.integer({ min: 1, max: 2 }),
  faults: fc.record({
    crash: share(0.02),
    lostAnswer: share(0.05),
    unavailable: share(0.05),
    stall: share(0.02),
    leasesAway: fc.constantFrom(0, 0, 0.3),
  }),
  lagMs: fc.constantFrom(0, 0, 10_000),
});

const STEP_MS = 2_000;
const LONGEST_CALL_MS = 20_000;
/** A stall is longer than a lease. */
const STALL_MS = LEASE_MS + 3_000;
const STORM_STEPS = 40;
const CALM_ROUNDS = 60;
/** Longer than any timer, and than lease, sweep, lag and call together. */
const ROUND_MS = 90_000;

interface Process {
  readonly runtime: WorkflowRuntime;
  readonly ledger: Ledger;
  readonly fault: FaultyProcess;
}

/** Random workflows in processes that crash, stall and lose answers; then a calm in which every run must end. */
export class RuntimeModel {
  readonly #random: Random;
  readonly #setting: RuntimeSetting;
  readonly #performed: Performed[] = [];
  readonly #runIds: string[] = [];
  readonly #index: RunIndex;
  readonly #ledger: Ledger;
  readonly #processes: Process[] = [];
  #builds = 0;

  constructor(private readonly given: ModelCase) {
    this.#random = randomOf(given.seed);
    this.#setting = new RuntimeSetting([scripted], [echoActivity()]);
    const { activities, time } = this.#setting;
    const rows = new LogRunIndex(this.#setting.logOf(), activities, time, given.lagMs);
    this.#ledger = this.#ledgerOn(this.#setting.logOf());
    this.#index = {
      toWake: (before, after, limit) => rows.toWake(before, after, limit),
      toBegin: async (after) => (after === '' ? this.#ledger.open() : []),
    };
  }

  async check(): Promise<void> {
    const { scripts, faults, processes } = this.given;
    for (let n = 0; n < processes; n++) await this.#startProcess(faults);
    for (let n = 0; n < scripts.length; n++) await this.#begin();
    for (let step = 0; step < STORM_STEPS; step++) await this.#storm();
    await this.#calm();
    await this.#checkAll();
    await this.#setting.time.pass(ROUND_MS);
    expect(this.#setting.leases.held).toEqual([]);
    await this.#during(Promise.all(this.#alive.map(({ runtime }) => runtime.stop(0))));
  }

  async #startProcess(faults: Faults): Promise<void> {
    const { time, memory, leases } = this.#setting;
    const fault = new FaultyProcess(time, this.#random, faults, STALL_MS);
    const activity = echoActivity((request, { runId, stepId, signal }) =>
      this.#perform(`${runId} ${stepId}`, request, signal, fault),
    );
    const log = this.#setting.logOf(fault.store(memory));
    const ledger = this.#ledgerOn(log);
    const runtime = this.#setting.process({
      log,
      owners: new Map([['scripted', ledger]]),
      leases: fault.leases(leases),
      time: fault.time(),
      activities: new ActivityRegistry([activity]),
      // As if a tool, a model or a setting had changed before each start.
      facts: { build: () => this.#builds++ },
      index: this.#index,
      callLimit: () => 2,
    });
    this.#processes.push({ runtime, ledger, fault });
    await runtime.start();
  }

  #ledgerOn(log: EventLog): Ledger {
    const scriptOf = (runId: string) => this.given.scripts[this.#runIds.indexOf(runId)] ?? [];
    return new Ledger(log, 'scripted', (runId) => ({ script: scriptOf(runId) }));
  }

  /** A capability asks for a run. The run ends even if the asking process does not survive. */
  async #begin(): Promise<void> {
    const runId = this.#setting.nextRunId();
    this.#runIds.push(runId);
    const [process] = this.#processes;
    const finished = process?.ledger
      .ask(runId, process.runtime)
      .then((asked) => process.runtime.finish(asked));
    finished?.catch(() => undefined);
    await this.#setting.time.pass(Math.floor(this.#random() * 150));
    // The request counts even if that process crashed before it recorded the request.
    await this.#ledger.ask(runId);
  }

  /** Makes the call itself. */
  async #perform(
    key: string,
    request: JsonObject,
    signal: AbortSignal,
    process: FaultyProcess,
  ): Promise<Outcome> {
    const performed: Performed = { key, process, wasOpen: true, isAnswered: false };
    this.#performed.push(performed);
    const [runId = '', stepId = ''] = key.split(' ');
    const run = (await this.#runs()).find((one) => one.runId === runId);
    performed.wasOpen = run?.steps.open.has(stepId) ?? false;
    const aborted = new Promise<'aborted'>((resolve) => {
      signal.addEventListener('abort', () => resolve('aborted'));
    });
    const came = process.pass(Math.floor(this.#random() ** 2 * LONGEST_CALL_MS));
    if ((await Promise.race([came, aborted])) === 'aborted') return failed('interrupted');
    performed.isAnswered = true;
    return echoed(request);
  }

  async #storm(): Promise<void> {
    if (this.#alive.length < this.given.processes && this.#random() < 0.3)
      await this.#startProcess(this.given.faults);
    if (this.#random() < 0.4) await this.#signal(this.#random() < 0.8 ? 'yes' : 'no');
    if (this.#random() < 0.02) await this.#cancel();
    if (this.#random() < 0.2) this.#beginAgain();
    await this.#setting.time.pass(this.#random() * STEP_MS);
  }

  async #calm(): Promise<void> {
    for (const { fault } of this.#processes) fault.faults = NO_FAULTS;
    if (this.#alive.length === 0) await this.#startProcess(NO_FAULTS);
    await this.#setting.time.pass(STALL_MS);
    for (let round = 0; round < CALM_ROUNDS; round++) {
      const before = await this.#runs();
      if (before.every(({ steps }) => steps.end) && (await this.#ledger.open()).length === 0) return;
      while (await this.#signal('yes'));
      await this.#setting.time.pass(ROUND_MS);
      const after = new Map((await this.#runs()).map((run) => [run.stream, run.steps]));
      for (const { stream, steps } of before) {
        const waitsForChild = [...steps.open.values()].some(({ kind }) => kind === 'child');
        const hasMoved = (after.get(stream)?.revision ?? 0) > steps.revision;
        if (!steps.end && !waitsForChild && !hasMoved)
          throw new Error(`${stream} rests: ${await this.#described(stream)}`);
      }
    }
    throw new Error('The runs do not come to their ends.');
  }

  /** Moves the time forward until the work is done. */
  async #during(work: Promise<unknown>): Promise<void> {
    const progress = { isDone: false };
    const done = work.finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) await this.#setting.time.pass(100);
    await done;
  }

  /** Answers an open await. False if there is none. */
  async #signal(payload: string): Promise<boolean> {
    const awaits = (await this.#runs()).flatMap(({ runId, steps }) =>
      [...steps.open].flatMap(([awaitId, { kind }]) =>
        kind === 'await' && !steps.end ? [{ runId, awaitId }] : [],
      ),
    );
    const chosen = this.#oneOf(awaits);
    if (!chosen) return false;
    const { runId, awaitId } = chosen;
    const answer = { metadata: this.#setting.metadata() };
    await this.#setting.commands.signal(runId, { signal: 'approve', awaitId, payload, by: 'ann' }, answer);
    return true;
  }

  /** A repeated request reaches any process, whichever process holds the run's lease. */
  #beginAgain(): void {
    const runId = this.#oneOf(this.#runIds);
    const process = this.#oneOf(this.#alive);
    if (runId === undefined || !process) return;
    const asked = { workflow: 'scripted', runId, stream: this.#ledger.stream };
    process.runtime.finish(asked).catch(() => undefined);
  }

  #oneOf<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.#random() * items.length)];
  }

  async #cancel(): Promise<void> {
    const runId = this.#oneOf(this.#runIds) ?? '';
    const answer = { metadata: this.#setting.metadata() };
    await this.#setting.commands.cancel(runId, 'enough', answer);
  }

  get #alive(): readonly Process[] {
    return this.#processes.filter(({ fault }) => !fault.isCrashed);
  }

  async #runs(): Promise<
    readonly { stream: string; runId: string; events: readonly RecordedEvent[]; steps: RunSteps }[]
  > {
    const log = this.#setting.logOf();
    const all = await log.decodeAll(await this.#setting.memory.readAll({ limit: Number.MAX_SAFE_INTEGER }));
    const streams = new Set(all.map(({ stream }) => stream));
    streams.delete(this.#ledger.stream);
    return [...streams].map((stream) => {
      const events = all.filter((event) => event.stream === stream);
      return {
        stream,
        runId: log.streams.parse(stream)?.id ?? '',
        events,
        steps: foldSteps(events, this.#setting.activities),
      };
    });
  }

  async #described(stream: string): Promise<string> {
    const run = (await this.#runs()).find((one) => one.stream === stream);
    return JSON.stringify(run?.events.map(({ type, data }) => [type, data]));
  }

  async #checkAll(): Promise<void> {
    const runs = await this.#runs();
    for (const { runId } of runs) await this.#setting.verify('scripted', runId);
    const all = runs.flatMap(({ events }) => events);
    checkDeliveries(all);
    checkContexts(all);
    const ledger = await this.#setting.logOf().readStream(this.#ledger.stream);
    const taken = ledger.flatMap(({ type, data }) =>
      type === 'EndTaken' && 'runId' in data ? data.runId : [],
    );
    expect(taken).toHaveLength(this.#runIds.length);
    expect(new Set(taken)).toEqual(new Set(this.#runIds));
    const histories = new Map(runs.map(({ runId, events }) => [runId, events]));
    checkCalls(histories, this.#performed, this.#setting.discarded);
    for (const [runId, events] of histories) checkUnsafe(runId, events);
  }
}
