import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { EventLog } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { models as ours } from '../models.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import type { ReadStore } from '../store/read-store.js';
import { doorsModel } from '../testing/counted-doors.js';
import { dumpRows } from '../testing/dump-rows.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { histories } from '../testing/random-history.js';
import { RunnerProcess } from '../testing/runner-process.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { loopOf } from '../testing/loop-of.js';
import { openPostgresReadStore } from './open-postgres-read-store.js';

const loop = loopOf([doorsModel(), ...ours]);
const all = loop.models;

/** Random commands; refused ones give no event. */
const STEPS = 8000;
const KILLS = 50;
const FREEZES = 6;
const LEASE_MS = 500;
/** The rest of a renewed lease, a look whether it is free, and the work on a busy machine. */
const TAKEOVER_MS = 100 * LEASE_MS;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => {
  await RunnerProcess.killAll();
  await server.stop();
});

/** The rows are those that one process gives without an interruption. */
async function expectRowsOf(log: EventLog, store: ReadStore): Promise<void> {
  const cleanStore = await openPostgresReadStore(await server.emptyPlace());
  const clean = new ProjectionRunner(log, cleanStore, [loop]);
  await clean.start();
  await clean.caughtUpWithHead(60_000);
  expect(await dumpRows(store, all)).toEqual(await dumpRows(cleanStore, all));
  await clean.stop();
  await cleanStore.close();
}

it('gives the same rows when processes that share a database are killed fifty times', async () => {
  const dir = temporaryFolder();
  const place = await server.emptyPlace();
  const logFile = join(dir, 'log.db');
  const [history = []] = fc.sample(histories(STEPS, STEPS), { numRuns: 1, seed: 11 });
  const pauses = fc.sample(fc.nat({ max: 120 }), { numRuns: KILLS, seed: 11 });
  const eventStore = await SqliteEventStore.open(logFile);
  const log = openLog(eventStore);
  const store = await openPostgresReadStore(place);
  const here = new ProjectionRunner(log, store, [loop]);
  await here.prepare();
  const startRunner = () => RunnerProcess.start(logFile, place, String(LEASE_MS));

  const size = Math.ceil(history.length / KILLS);
  let survivor = await startRunner();
  for (const [round, milliseconds] of pauses.entries()) {
    const next = await startRunner();
    const part = history.slice(round * size, (round + 1) * size);
    const appending = appendAll(log, part, round * size);
    // A random moment: in a batch, in a takeover, or at rest.
    await setTimeout(milliseconds);
    await survivor.kill();
    await appending;
    if (round % 5 === 0) await here.rebuild('doors');
    survivor = next;
  }
  // The killed process held leases; the remaining one takes them over.
  await here.caughtUpWithHead(60_000);
  const standby = await startRunner();
  await survivor.kill();
  await appendAll(log, history.slice(0, 1), history.length);
  await here.caughtUpWithHead(TAKEOVER_MS);
  await standby.kill();
  await expectRowsOf(log, store);
  for (const one of [store, eventStore]) await one.close();
});

it('gives the same rows when the leader is frozen for longer than its lease, in the middle of pages', async () => {
  const dir = temporaryFolder();
  const place = await server.emptyPlace();
  const logFile = join(dir, 'log.db');
  const [history = []] = fc.sample(histories(STEPS / 8, STEPS / 8), { numRuns: 1, seed: 13 });
  const eventStore = await SqliteEventStore.open(logFile);
  const log = openLog(eventStore);
  const store = await openPostgresReadStore(place);
  const here = new ProjectionRunner(log, store, [loop]);
  await here.prepare();
  const processes = [
    await RunnerProcess.start(logFile, place, String(LEASE_MS)),
    await RunnerProcess.start(logFile, place, String(LEASE_MS)),
  ] as const;
  const size = Math.ceil(history.length / FREEZES);
  for (let round = 0; round < FREEZES; round++) {
    const appending = appendAll(log, history.slice(round * size, (round + 1) * size), round * size);
    await setTimeout(20 * round);
    processes[round % 2]?.freeze();
    await appending;
    // The other process takes over once the lease has expired.
    await here.caughtUpWithHead(TAKEOVER_MS);
    processes[round % 2]?.thaw();
  }
  const last = await appendAll(log, history.slice(0, 1), history.length);
  await here.waitFor(here.names, last, TAKEOVER_MS);
  for (const one of processes) await one.kill();
  await expectRowsOf(log, store);
  for (const one of [store, eventStore]) await one.close();
});
