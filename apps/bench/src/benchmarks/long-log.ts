import { join } from 'node:path';
import {
  collapseMetrics,
  models,
  openSqliteReadStore,
  ProjectionRunner,
  type ReadStore,
  summarizeLlmCalls,
} from '#lib/read-models';
import { verifyAll } from '#lib/engine/core';
import type { Benchmark, Observation } from '../comparison.js';
import { sampleMachine } from '../fixtures/sample-machine.js';
import { makeSessionLog, type SessionLog } from '../fixtures/session-log.js';
import { median } from '../median.js';

const EVENTS = 1_000_000;
const ROUNDS = 3;
const EVENTS_OF_SESSION = 1 + 7 * ROUNDS;
const TIMES = 20;
const LONGEST_MS = 3_600_000;

/** A log of a million events: projected, queried, and replayed whole. */
export const longLog: Benchmark = {
  name: 'long-log',
  onlyByName: true,
  async open(folder) {
    const sessions = Math.ceil(EVENTS / EVENTS_OF_SESSION);
    const made = await makeSessionLog(folder, { sessions, rounds: ROUNDS });
    return {
      comparisons: [],
      observe: () => observe(made, join(folder, 'read.sqlite')),
      close: () => made.log.store.close(),
    };
  },
};

async function observe({ log, events }: SessionLog, file: string): Promise<readonly Observation[]> {
  const store = await openSqliteReadStore(file);
  const rebuild = await timed(() => project({ log, store }));
  const models = await medianOf(() => summarizeLlmCalls(store.db));
  const { machineName } = sampleMachine;
  const metrics = await medianOf(() => collapseMetrics(store.db, machineName));
  await store.close();
  const replay = await timed(async () => {
    for await (const { identical, sessionId } of verifyAll(log))
      if (!identical) throw new Error(`Session ${sessionId} has diverged.`);
  });
  const perEvent = (ms: number) => (ms * 1000) / events;
  const memory = process.memoryUsage.rss() / 1_000_000;
  const [us, ms] = ['µs', 'ms'];
  return [
    {
      name: 'long-log-rebuild',
      value: perEvent(rebuild),
      atMost: 25,
      unit: us,
      observed: 'all projections, an event',
    },
    {
      name: 'long-log-replay',
      value: perEvent(replay),
      atMost: 1000 / 30,
      unit: us,
      observed: 'every session replayed, an event',
    },
    { name: 'long-log-models', value: models, atMost: 20, unit: ms, observed: 'the statistics of models' },
    { name: 'long-log-metrics', value: metrics, atMost: 20, unit: ms, observed: 'the metrics of a machine' },
    { name: 'long-log-memory', value: memory, unit: 'MB', observed: 'of the process afterwards' },
  ];
}

async function project({
  log,
  store,
}: {
  readonly log: SessionLog['log'];
  readonly store: ReadStore;
}): Promise<void> {
  const runner = new ProjectionRunner(log, store, [{ name: 'rows', models }]);
  await runner.start();
  await runner.caughtUpWithHead(LONGEST_MS);
  await runner.stop();
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < TIMES) times.push(await timed(work));
  return median(times);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
