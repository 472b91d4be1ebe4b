import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { Test, type TestingModule } from '@nestjs/testing';
import {
  EngineSettings,
  eventCatalogue,
  Redial,
  RedialModule,
  type RedialOptions,
  verifyAll,
} from '#lib/engine';
import { EventLog, InMemoryEventStore, StreamNames } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { READ_STORE } from '#lib/operations';
import { openMemoryReadStore, type ReadStore } from '#lib/read-models';
import { verifyRunTree } from '#lib/runs/runs/core';
import { type Time, VirtualTime } from '#lib/workflow';
import { Life } from './life.js';

/** Turns of the event loop without a new event, after which nothing more follows from the last one. */
const QUIET_TURNS = 12;
/** Milliseconds of the shared time that pass while a call waits. */
const STEP_MS = 10;
/** Milliseconds between two sweeps of runs. */
const SWEEP_MS = 20_000;
/** Milliseconds between two looks at the log, and until an event that does not come is given up. */
const LOOK_MS = 10_000;
const MOST_MS = 4_000_000;
/** Milliseconds after which the next process has taken over all that a dead one had under leases. */
export const TAKEOVER_MS = 15_000 + 2 * SWEEP_MS;

/** A process of a world: an engine on its log, its rows and its time. */
export interface Process {
  readonly redial: Redial;
  readonly life: Life;
}

/** A log, rows with leases, and time. Processes live in it one after another. */
export class World {
  readonly time = new VirtualTime();
  readonly #store = new InMemoryEventStore();
  readonly log: EventLog;
  #rows?: ReadStore;
  readonly #running: { readonly app: TestingModule; readonly life: Life }[] = [];

  constructor(private readonly options: RedialOptions) {
    this.log = new EventLog(this.#store, eventCatalogue(options.workflows), new StreamNames());
  }

  /** @param time of the process, made of the shared one */
  async start(life = new Life(), time: Time = this.time): Promise<Process> {
    const own = { recoveryIntervalMs: SWEEP_MS, shutdownGraceMs: 0, storage: 'memory' as const };
    const settings = new EngineSettings({ ...own, ...this.options }, life.time(time));
    const { log, streams } = { log: life.store(this.#store), streams: new StreamNames() };
    this.#rows ??= openMemoryReadStore();
    const rows = this.#rows;
    const app = await Test.createTestingModule({ imports: [RedialModule.forRoot({ storage: 'memory' })] })
      .overrideProvider(EngineSettings)
      .useValue(settings)
      .overrideProvider(EventLog)
      .useValue(new EventLog(log, eventCatalogue(this.options.workflows), streams))
      .overrideProvider(READ_STORE)
      .useValue(new Proxy(rows, { get: (store, name) => keptOpen(store, name) }))
      .compile();
    app.useLogger(false);
    await app.init();
    this.#running.push({ app, life });
    return { redial: app.get(Redial), life };
  }

  /** Time passes; what it starts is done before the next timer fires. */
  pass(milliseconds: number): Promise<void> {
    return this.time.pass(milliseconds, () => this.settled());
  }

  /** Once nothing was appended for some turns of the event loop. */
  async settled(): Promise<void> {
    let head = await this.#store.head();
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await (quiet % 4 === 3 ? delay(1) : setImmediate());
      const now = await this.#store.head();
      if (now !== head) quiet = -1;
      head = now;
    }
  }

  /** The answer of a call; `undefined` if its process ends first. */
  async answerOf<T>(call: (redial: Redial) => Promise<T>, { redial, life }: Process): Promise<T | undefined> {
    const state: { answer?: { readonly value: T }; error?: { readonly error: unknown } } = {};
    if (life.isOver) return undefined;
    void call(redial).then(
      (value) => void (state.answer = { value }),
      (error: unknown) => void (state.error = { error }),
    );
    await this.settled();
    while (!state.answer && !state.error && !life.isOver) await this.pass(STEP_MS);
    if (life.isOver) return undefined;
    if (state.error) throw state.error.error;
    return state.answer?.value;
  }

  events(): Promise<readonly RecordedEvent[]> {
    return this.#store.readAll({ limit: 100_000 }).then((stored) => this.log.decodeAll(stored));
  }

  /** Time passes until the log has so many events of a type, or the process has ended. */
  async until(type: string, count: number, { life }: Process): Promise<void> {
    for (let passed = 0; !life.isOver; passed += LOOK_MS) {
      const stored = await this.#store.readAll({ limit: 100_000 });
      const found = stored.filter((event) => event.type === type).length;
      if (found >= count) return;
      if (passed > MOST_MS) throw new Error(`${found} of ${count} ${type} came within ${MOST_MS} ms.`);
      await this.pass(LOOK_MS);
    }
  }

  /** @throws Error for a session or a run that does not replay identical */
  async expectIdentical(): Promise<void> {
    const { workflows } = new EngineSettings({ workflows: this.options.workflows ?? [] });
    for await (const report of verifyAll(this.log, workflows))
      if (!report.identical) throw new Error(JSON.stringify(report));
    for (const stream of new Set((await this.events()).map((event) => event.stream))) {
      const { category = '' } = this.log.streams.parse(stream) ?? {};
      if (!this.options.workflows?.some(({ name }) => name === category)) continue;
      const diverging = (await verifyRunTree(this.log, workflows, stream)).filter((run) => run.divergence);
      if (diverging.length > 0) throw new Error(JSON.stringify(diverging));
    }
  }

  /** Closes all processes, also those that were killed. */
  async stop(): Promise<void> {
    const running = this.#running.splice(0);
    for (const { life } of running) if (life.isOver) life.bury();
    const closed = Promise.all(running.map(({ app }) => app.close())).then(() => true);
    while (!(await Promise.race([closed, delay(0, false)]))) await this.time.pass(1_000);
    await this.#rows?.close();
  }
}

/** The rows outlive the process that closes them. */
function keptOpen(store: ReadStore, name: string | symbol): unknown {
  if (name === 'close') return async () => undefined;
  const value: unknown = Reflect.get(store, name);
  return typeof value === 'function' ? (value.bind(store) as unknown) : value;
}
