import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Database, SqliteEventStore } from '#lib/event-store-sqlite';
import { temporaryFolder } from '#lib/kernel/testing';
import { Mortal } from './testing/mortal.js';
import { addAll, numberedLog, sessionOf } from './testing/reacting-log.js';

/** 100,000 by `npm run test:kills`: more than the heap could hold. */
const PENDING = Number(process.env['PENDING'] ?? 20_000);
const SESSIONS = 1_000;
const EVENTS = PENDING / SESSIONS;
const DELIVERED = 2_000;
const engine = new Mortal('reacting-main.js', ['--max-old-space-size=48']);
const receiver = new Mortal('receiving-main.js');

afterEach(() => Promise.all([engine.kill(), receiver.kill()]));

it(`a process with a heap of 48 MB keeps ${PENDING} deliveries while their receiver is down, and makes them in order once it is up`, async () => {
  const folder = temporaryFolder();
  const [logFile, rowsFile, received] = ['log.sqlite', 'rows.sqlite', 'received'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const port = await receiver.start(received);
  await receiver.kill();
  const start = () => engine.start(logFile, rowsFile, `http://127.0.0.1:${port}`, 'quiet');
  // A reaction begins at the head of the log.
  await start();
  const log = numberedLog(await SqliteEventStore.open(logFile));
  for (let session = 0; session < SESSIONS; session++)
    await addAll(log, sessionOf(`session ${session}`), EVENTS);
  await log.store.close();
  const rows = new Database(rowsFile, { readonly: true });
  const pending = rows.prepare('select count(*) from reaction_deliveries_v2').pluck();
  while (engine.runs && Number(pending.get()) < PENDING) await delay(100);
  expect([engine.runs, pending.get()]).toEqual([true, PENDING]);
  // Goes on from the rows.
  await engine.kill();
  await start();
  await receiver.start(received, port);
  const lines = () => (existsSync(received) ? readFileSync(received, 'utf8').trimEnd().split('\n') : []);
  while (engine.runs && lines().length < DELIVERED) await delay(100);
  expect(engine.runs).toBe(true);
  rows.close();
  const next = new Map<string, number>();
  for (const line of lines()) {
    const [session = '', n] = line.split(' ');
    expect(Number(n)).toBeLessThanOrEqual(next.get(session) ?? 0);
    next.set(session, Math.max(next.get(session) ?? 0, Number(n) + 1));
  }
});
