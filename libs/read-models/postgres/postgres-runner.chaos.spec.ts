import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { projections } from '../projections.js';
import { ProjectionRunner } from '../runner/projection-runner.js';
import { dumpRows } from '../testing/dump-rows.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { histories } from '../testing/random-history.js';
import { RunnerProcess } from '../testing/runner-process.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { tempDir } from '../testing/temp-dir.js';
import { openPostgresReadStore } from './open-postgres-read-store.js';

/** Commands at random; those that are refused lead to no event. */
const STEPS = 8000;
const KILLS = 50;
const LEASE_MS = 500;
/** A lease that has just been renewed, a look whether it is free, and the work on a machine that has other work. */
const TAKEOVER_MS = 100 * LEASE_MS;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => {
  await RunnerProcess.killAll();
  await server.stop();
});

it('gives the same rows when processes that share a database are killed fifty times', async () => {
  const dir = tempDir();
  const place = await server.emptyPlace();
  const logFile = join(dir.path, 'log.db');
  const [history = []] = fc.sample(histories(STEPS, STEPS), { numRuns: 1, seed: 11 });
  const pauses = fc.sample(fc.nat({ max: 120 }), { numRuns: KILLS, seed: 11 });
  const eventStore = await SqliteEventStore.open(logFile);
  const log = openLog(eventStore);
  const store = await openPostgresReadStore(place);
  const here = new ProjectionRunner(log, store, projections);
  await here.prepare();
  const startRunner = () => RunnerProcess.start(logFile, place, String(LEASE_MS));

  const size = Math.ceil(history.length / KILLS);
  let survivor = await startRunner();
  for (const [round, milliseconds] of pauses.entries()) {
    const next = await startRunner();
    const part = history.slice(round * size, (round + 1) * size);
    const appending = appendAll(log, part, round * size);
    // Any moment of the work will do: in the middle of a batch, of a takeover, of nothing.
    await setTimeout(milliseconds);
    await survivor.kill();
    await appending;
    const rebuilt = projections[round % projections.length];
    if (rebuilt && round % 5 === 0) await here.rebuild(rebuilt.name);
    survivor = next;
  }
  // The killed process held leases; the remaining one takes them over.
  await here.caughtUpWithHead(60_000);
  const standby = await startRunner();
  await survivor.kill();
  await appendAll(log, history.slice(0, 1), history.length);
  await here.caughtUpWithHead(TAKEOVER_MS);
  await standby.kill();

  const cleanStore = await openPostgresReadStore(await server.emptyPlace());
  const clean = new ProjectionRunner(log, cleanStore, projections);
  await clean.start();
  await clean.caughtUpWithHead(60_000);
  expect(await dumpRows(store, projections)).toEqual(await dumpRows(cleanStore, projections));
  await clean.stop();
  for (const one of [store, cleanStore, eventStore]) await one.close();
  dir.remove();
});
