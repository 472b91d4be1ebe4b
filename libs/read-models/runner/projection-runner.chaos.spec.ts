import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { models as ours } from '../models.js';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import { doorsModel } from '../testing/counted-doors.js';
import { dumpRows } from '../testing/dump-rows.js';
import { histories } from '../testing/random-history.js';
import { RunnerProcess } from '../testing/runner-process.js';
import { appendAll, openLog } from '../testing/sample-log.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { loopOf } from '../testing/loop-of.js';
import { ProjectionRunner } from './projection-runner.js';

const loop = loopOf([doorsModel(), ...ours]);
const all = loop.models;

/** Random commands; refused ones give no event. */
const STEPS = 4000;
const ROUNDS = 6;

afterEach(() => RunnerProcess.killAll());

it('gives the same rows when processes race, are killed, and rebuilds begin at any time', async () => {
  const dir = temporaryFolder();
  const files = [join(dir, 'log.db'), join(dir, 'read.db')] as const;
  const [history = []] = fc.sample(histories(STEPS, STEPS), { numRuns: 1, seed: 7 });
  const eventStore = await SqliteEventStore.open(files[0]);
  const log = openLog(eventStore);
  const store = await openSqliteReadStore(files[1]);
  const here = new ProjectionRunner(log, store, [loop]);
  await here.prepare();
  const size = Math.ceil(history.length / ROUNDS);
  for (let round = 0; round < ROUNDS; round++) {
    const children = await Promise.all([RunnerProcess.start(...files), RunnerProcess.start(...files)]);
    await appendAll(log, history.slice(round * size, (round + 1) * size), round * size);
    await here.rebuild('doors');
    for (const child of children) await child.kill();
  }
  await here.start();
  await here.caughtUpWithHead(60_000);
  const cleanStore = await openSqliteReadStore(join(dir, 'clean.db'));
  const clean = new ProjectionRunner(log, cleanStore, [loop]);
  await clean.start();
  await clean.caughtUpWithHead(60_000);
  expect(await dumpRows(store, all)).toEqual(await dumpRows(cleanStore, all));
  for (const runner of [here, clean]) await runner.stop();
  for (const one of [store, cleanStore, eventStore]) await one.close();
});
