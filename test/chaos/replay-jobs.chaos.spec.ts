import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { setEnvironment } from '#lib/activities/testing';
import type { EventStore } from '#lib/event-store';
import { Database, SqliteEventStore } from '#lib/event-store-sqlite';
import { temporaryFolder } from '#lib/kernel/testing';
import { withEngine } from '../../apps/cli/src/engine/with-engine.js';
import { door } from '../cli/machines.js';
import { runHistories, sessionHistories } from '../replay/golden-histories.js';
import type { HistoryEvent } from '../replay/history.js';

const MAIN = join(import.meta.dirname, '../../dist/bin/redial.js');
const histories = [...sessionHistories.all(), ...runHistories.all()].map(({ history }) => history.events);

/** More than one range of a log, so that streams go on in the range after the one in which they begin. */
async function pad(store: EventStore): Promise<void> {
  for (let page = 0; page < 64; page++) {
    const noted = () => ({ eventId: randomUUID(), type: 'Noted', data: '{}', metadata: '{}' });
    await store.append('of-an-application', 'any', Array.from({ length: 400 }, noted));
  }
}

async function append(store: EventStore, events: readonly HistoryEvent[]): Promise<void> {
  for (const { stream, ...event } of events) await store.append(stream, 'any', [event]);
}

/** Every golden history of sessions and conversations: all but the last event of each, and after a range the last ones. */
async function fill(dataDir: string): Promise<void> {
  const store = await SqliteEventStore.open(join(dataDir, 'log.sqlite'));
  for (const events of histories.slice(0, 20)) await append(store, events.slice(0, -1));
  await pad(store);
  for (const events of histories.slice(20)) await append(store, events);
  await pad(store);
  for (const events of histories.slice(0, 20)) await append(store, events.slice(-1));
  await store.close();
}

function replay(dataDir: string, ...more: readonly string[]): ChildProcess {
  const argv = ['replay', '--all', '--data-dir', dataDir, ...more];
  return spawn(process.execPath, [MAIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
}

async function ended(child: ChildProcess) {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (part) => (out += String(part)));
  child.stderr?.on('data', (part) => (err += String(part)));
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { exitCode, signal, out, err };
}

describe('redial replay --all --jobs', () => {
  const dataDir = temporaryFolder();
  const module = (source: string) => {
    const file = join(temporaryFolder(), 'module.mjs');
    writeFileSync(file, `import { isMainThread } from 'node:worker_threads';\n${source}`);
    return file;
  };

  beforeAll(async () => {
    if (!existsSync(MAIN)) throw new Error('dist/ is missing. Run `npm run build` first.');
    await fill(dataDir);
  });

  it.each([[[]], [['--json']]])('prints with two threads what it prints with one %j', async (more) => {
    const one = await ended(replay(dataDir, ...more));
    const two = await ended(replay(dataDir, '--jobs', '2', ...more));
    expect(one).toMatchObject({ exitCode: 0, err: '' });
    expect(one.out.split('\n').length).toBeGreaterThan(70);
    expect(two).toEqual(one);
  });

  it('finds in a damaged copy the same divergences, in the same order, and ends with 3', async () => {
    const copy = temporaryFolder();
    copyFileSync(join(dataDir, 'log.sqlite'), join(copy, 'log.sqlite'));
    const database = new Database(join(copy, 'log.sqlite'));
    const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").pluck().all();
    for (const trigger of triggers) database.exec(`DROP TRIGGER "${String(trigger)}"`);
    database.exec(`UPDATE events SET data = '{}' WHERE position % 7 = 0 AND type <> 'Noted';
      DELETE FROM events WHERE revision = 0 AND position % 3 = 0 AND type = 'SessionCreated'`);
    database.close();
    const one = await ended(replay(copy));
    const two = await ended(replay(copy, '--jobs', '2'));
    expect(one).toMatchObject({ exitCode: 3, out: expect.stringContaining('diverges at ') });
    expect(two).toEqual(one);
  });

  it('reports all others if the key of a subject is lost, as one thread does, and says so at the end', async () => {
    const folder = temporaryFolder();
    const environment = { REDIAL_MASTER_KEY: randomBytes(32).toString('base64') };
    const restore = setEnvironment(environment);
    const err = { write: () => undefined };
    await withEngine({ dataDir: folder }, err, async ({ redial, log }) => {
      await redial.defineMachine(door);
      for (const subject of [undefined, 'ann', undefined, 'bob']) {
        await redial.createSession({ machineName: 'door', ...(subject !== undefined && { subject }) });
        await pad(log.store);
      }
    });
    for (const name of readdirSync(folder).filter((one) => one.startsWith('keys.')))
      rmSync(join(folder, name));
    const one = await ended(replay(folder));
    const two = await ended(replay(folder, '--jobs', '2'));
    restore();
    expect(one.out.match(/identical/g)).toHaveLength(2);
    expect([one.exitCode, one.err]).toEqual([5, expect.stringMatching(/KeyMissing.* subject ann:/)]);
    expect(two).toEqual(one);
  });

  it('loads the workflows of --import in each thread', async () => {
    const source = `import { writeSync } from 'node:fs';
      writeSync(2, isMainThread ? 'main ' : 'thread ');
      export const workflows = [];`;
    const { exitCode, err } = await ended(replay(dataDir, '--jobs', '2', '--import', module(source)));
    expect([exitCode, err.trim().split(' ').toSorted()]).toEqual([0, ['main', 'thread', 'thread']]);
  });

  it.each([
    [
      'whose module cannot be loaded there',
      "throw new Error('no such part')",
      2,
      'InvalidInput] --import .*',
    ],
    [
      'that fails at once',
      "setTimeout(() => { throw new Error('out of luck') })",
      1,
      'ThreadLost] .*out of luck',
    ],
    ['that is ended at once', 'process.exit(7)', 1, 'ThreadLost] .*it ended with code 7'],
  ])('says of a thread %s why, and prints no traces of the stack', async (_, fails, code, words) => {
    const source = `if (!isMainThread) ${fails};\nexport const workflows = [];`;
    const failed = await ended(replay(dataDir, '--jobs', '2', '--import', module(source)));
    expect([failed.exitCode, failed.err]).toEqual([code, expect.stringMatching(`^\\[${words}`)]);
    expect(failed.err).not.toContain('    at ');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s ends the process with all its threads', async (signal) => {
    const source = `export const workflows = [];
      if (!isMainThread) for (process._rawDebug('spins'); ; );`;
    const child = replay(dataDir, '--jobs', '2', '--import', module(source));
    const end = ended(child);
    await once(child.stderr ?? child, 'data');
    child.kill(signal);
    expect(await end).toMatchObject({ signal });
  });
});
