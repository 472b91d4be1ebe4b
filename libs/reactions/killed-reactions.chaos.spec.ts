import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { Event } from '#lib/kernel';
import { temporaryFolder } from '#lib/kernel/testing';
import { Mortal } from './testing/mortal.js';
import { numberedLog, sessionOf } from './testing/reacting-log.js';

/** All thousand by `KILLS=1000 npm run test:kills`. */
const KILLS = Number(process.env['KILLS'] ?? 20);
/** Every so many kills the rows are deleted, too. */
const ROWS_LOST = 5;
const LONGEST_LIFE_MS = 600;
/** A kill and the starts after it. */
const MOST_MS = 5_000;

describe('a process that reacts, and its receiver, killed at any time', () => {
  const engine = new Mortal('reacting-main.js');
  const receiver = new Mortal('receiving-main.js');
  /** One kill after the other. */
  const victims = [[engine], [receiver], [receiver, engine]] as const;
  let folder: string;
  let port: string;
  const file = (name: string) => join(folder, name);

  beforeEach(() => {
    folder = temporaryFolder();
    port = '0';
  });
  afterEach(() => Promise.all([engine.kill(), receiver.kill()]));

  async function start(...more: readonly string[]): Promise<void> {
    if (!receiver.runs) port = await receiver.start(file('received'), port);
    const files = ['log.sqlite', 'rows.sqlite'].map(file);
    if (!engine.runs) await engine.start(...files, `http://127.0.0.1:${port}`, ...more);
  }

  /** `<session> <number>`, as they were received. A line that a kill cut off counts as none. */
  function received(): readonly string[] {
    const lines = existsSync(file('received')) ? readFileSync(file('received'), 'utf8').split('\n') : [];
    return lines.slice(0, -1).filter((line) => /^[0-9a-f-]{36} \d+$/.test(line));
  }

  /** The events of sessions that are live. */
  async function recorded(): Promise<readonly string[]> {
    const log = numberedLog(await SqliteEventStore.open(file('log.sqlite')));
    const found: string[] = [];
    for (let session = 0; session < 5; session++) {
      const id = sessionOf(`session ${session}`);
      for await (const { data } of log.each<Event<string, { n: number }>>(log.streams.of('session', id)))
        found.push(`${id} ${data.n}`);
    }
    await log.store.close();
    return found;
  }

  it(
    `get each event at least once, in order for its session, and none of a fork or an experiment, after ${KILLS} kills`,
    async () => {
      // On a busy machine some lives are too short for an event.
      for (let kills = 0; kills < KILLS || (await recorded()).length <= KILLS; kills++) {
        await start();
        await delay(Math.random() * LONGEST_LIFE_MS);
        for (const victim of victims[kills % victims.length] ?? []) await victim.kill();
        if (kills % ROWS_LOST !== ROWS_LOST - 1) continue;
        await engine.kill();
        for (const suffix of ['', '-wal', '-shm']) await rm(file(`rows.sqlite${suffix}`), { force: true });
      }
      await engine.kill();
      const all = await recorded();
      expect(all.length).toBeGreaterThan(KILLS);
      await start('quiet');
      let missing = all;
      while (missing.length > 0) {
        await delay(100);
        const got = new Set(received());
        missing = all.filter((line) => !got.has(line));
      }
      await engine.kill();
      const before = new Set<string>();
      const [known, wrong] = [new Set(all), [] as string[]];
      for (const line of received()) {
        const [session, n] = line.split(' ');
        const isFirst = n === '0' || before.has(`${session} ${Number(n) - 1}`);
        if (!known.has(line) || !isFirst) wrong.push(line);
        before.add(line);
      }
      expect(wrong).toEqual([]);
    },
    600_000 + KILLS * MOST_MS,
  );
});
