import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventLog } from '#lib/event-store';
import { type Duration, millisecondsOf } from '#lib/kernel';
import { VirtualTime, WorkflowRuntime } from '#lib/workflow';
import { engineModule } from '../../module/redial.module.js';
import { Redial } from '../../redial.js';
import { EngineSettings } from '../../settings/engine-settings.js';
import type { RedialOptions } from '../../settings/redial-options.js';
import { type ScriptedModel, scriptedModel } from './scripted-model.js';

/** The options of an application, and the model that its default provider is. */
export interface TestEngineOptions extends Omit<RedialOptions, 'storage'> {
  /** Default: a model without replies. */
  readonly model?: ScriptedModel;
  /** Objects whose methods have `@OnRedial`. */
  readonly reactions?: readonly object[];
}

/** The clock of a test. It stands still until it is advanced. */
export interface TestClock {
  now(): Date;
  /**
   * Advances the clock by a duration (ISO 8601, such as `PT49H`): each timer that comes due fires at its time, one after the other, and the
   * work that it starts is done before the next one fires.
   */
  advance(duration: Duration): Promise<void>;
}

/** An engine of one test: in memory, with a clock of its own. `await using` closes it, also when the test fails. */
export interface TestEngine extends AsyncDisposable {
  readonly redial: Redial;
  readonly clock: TestClock;
  readonly model: ScriptedModel;
  /**
   * Resolves once all work waits for the clock, a person or a signal. Delayed replies of the model still come: the clock moves to them, and
   * no further.
   * @throws ModelExhausted if the model was asked too often
   */
  readonly idle: () => Promise<void>;
  /** Closes the engine; closing it again has no effect. An engine that is not closed keeps its process from ending. */
  readonly close: () => Promise<void>;
}

/** The pause between looks for interrupted work. A shorter one would come due thousands of times by the clock of a test. */
const SWEEP_MS = 30 * 86_400_000;
/** Turns of the event loop without a new event, after which the engine counts as quiet. */
const QUIET_TURNS = 12;

/** Starts an engine in memory: no file, no port, no key. Close it when the test ends. */
export async function createTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const { model = scriptedModel([]), providers, reactions = [], ...given } = options;
  const time = new VirtualTime();
  model.use(time);
  const scripted = { baseUrl: 'http://model.test/v1', calls: model };
  const settings = new EngineSettings(
    {
      recoveryIntervalMs: SWEEP_MS,
      shutdownGraceMs: 0,
      ...given,
      providers: { default: scripted, ...providers },
      storage: 'memory',
    },
    time,
  );
  const engine = engineModule(() => settings);
  const reacting = reactions.map((useValue, index) => ({ provide: `reaction ${index}`, useValue }));
  const app = await NestFactory.createApplicationContext(
    { ...engine, providers: [...(engine.providers ?? []), ...reacting] },
    { logger: ['error', 'warn'], abortOnError: false },
  );
  return new RunningTestEngine(app, time, model);
}

class RunningTestEngine implements TestEngine {
  readonly redial: Redial;
  readonly clock: TestClock;
  readonly #log: EventLog;
  readonly #runtime: WorkflowRuntime;
  #closed?: Promise<void>;

  constructor(
    private readonly app: INestApplicationContext,
    private readonly time: VirtualTime,
    readonly model: ScriptedModel,
  ) {
    this.redial = app.get(Redial);
    this.#log = app.get(EventLog);
    this.#runtime = app.get(WorkflowRuntime);
    this.clock = { now: () => time.now(), advance: (duration) => this.#advance(duration) };
  }

  readonly idle = async (): Promise<void> => {
    await this.#settled();
    while (this.model.delays.length > 0) {
      const next = Math.min(...this.model.delays);
      await this.time.pass(next - this.time.now().getTime(), () => this.#settled());
    }
    this.model.assertEnough();
  };

  readonly close = (): Promise<void> => (this.#closed ??= this.#stop());
  readonly [Symbol.asyncDispose] = this.close;

  /** Lets time pass until the engine has stopped: it waits a time for calls in flight. */
  async #stop(): Promise<void> {
    const closed = this.app.close().then(() => true);
    do await this.time.pass(1_000);
    while (!(await Promise.race([closed, delay(0, false)])));
  }

  async #advance(duration: Duration): Promise<void> {
    const milliseconds = millisecondsOf(duration);
    if (milliseconds === undefined)
      throw new TypeError(`${duration} is no ISO 8601 duration of weeks, days, hours, minutes and seconds.`);
    await this.time.pass(milliseconds, () => this.#settled());
  }

  /** Resolves once every call in flight waits for the clock and no event was appended for some turns of the event loop. */
  async #settled(): Promise<void> {
    let head = await this.#log.store.head();
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await (quiet % 4 === 3 ? delay(1) : setImmediate());
      const now = await this.#log.store.head();
      const isBusy = this.#runtime.slots.taken > this.model.delays.length;
      if (isBusy) await delay(1);
      if (isBusy || now !== head) quiet = -1;
      head = now;
    }
  }
}
