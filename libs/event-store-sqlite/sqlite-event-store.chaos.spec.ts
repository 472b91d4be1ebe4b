import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '#lib/kernel/testing';
import { Database } from './database.mjs';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type StoredEvent, StoreUnavailable } from '#lib/event-store';
import { SqliteEventStore } from './sqlite-event-store.js';

const ROOT = new URL('../../', import.meta.url);
const WRITER = fileURLToPath(new URL('test/support/event-store-writer.mjs', ROOT));
const BUILT = fileURLToPath(new URL('dist/libs/event-store-sqlite/index.js', ROOT));

let folder: string;
let file: string;
beforeAll(() => {
  if (!existsSync(BUILT))
    throw new Error(`Writer processes run the built code, and ${BUILT} is missing: build first.`);
});
beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'events.db');
});

/** Runs a writer, collects its lines, and kills it after this many lines. */
async function write(
  lines: number,
  start: () => ChildProcess = () => spawn(process.execPath, [WRITER, file]),
): Promise<string[][]> {
  const child = start();
  const said: string[][] = [];
  const ended = once(child, 'close');
  if (!child.stdout) throw new Error('The writer has no output to read.');
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line.split(' '));
    if (said.length === lines) child.kill('SIGKILL');
  }
  await ended;
  return said;
}

async function readWhole(): Promise<readonly StoredEvent[]> {
  const store = await SqliteEventStore.open(file);
  const log = await store.readAll({ limit: 1_000_000 });
  await store.close();
  return log;
}

/** Every acknowledged event is in the log, at its position, and neither the log nor a stream has a gap or half an append. */
function expectWhole(log: readonly StoredEvent[], said: readonly string[][]): void {
  const positions = new Map(log.map((event) => [event.eventId, event.position as string]));
  const acknowledged = said.filter(([what]) => what === 'ack');
  expect(acknowledged.length).toBeGreaterThan(0);
  for (const [, eventId = '', position] of acknowledged) expect(positions.get(eventId)).toBe(position);
  expect(log.map((event) => Number(event.position.split('.')[1]))).toEqual(log.map((_, n) => n + 1));
  const lengths = new Map<string, number>();
  for (const { stream, revision } of log) {
    expect(revision).toBe(lengths.get(stream) ?? 0);
    lengths.set(stream, revision + 1);
  }
  expect([...lengths.values()].filter((length) => length % 2 !== 0)).toEqual([]);
}

describe('a log that several processes write', () => {
  it('keeps all that was acknowledged, whole and without a gap, when writers are killed', async () => {
    const said: string[][] = [];
    for (let round = 1; round <= 6; round += 1) {
      const rounds = await Promise.all([write(150 * round), write(200)]);
      said.push(...rounds.flat());
      expectWhole(await readWhole(), said);
    }
    expect(new Set(said.flatMap(([what, logId]) => (what === 'open' ? [logId] : []))).size).toBe(1);
  });

  it('is made once when many open a new file at the same time', async () => {
    const said = await Promise.all([1, 2, 3, 4, 5, 6].map(() => write(10)));
    expect(new Set(said.map(([first]) => first?.join(' '))).size).toBe(1);
    expectWhole(await readWhole(), said.flat());
  });

  it('says that the disk is full, keeps what it acknowledged, and goes on with more space', async () => {
    // A limit on the size of files stands in for a full disk: 4 MiB, in blocks of 1024 bytes.
    const limited = () =>
      spawn('bash', ['-c', 'ulimit -f 4096; exec "$0" "$@"', process.execPath, WRITER, file]);
    const said = await write(Infinity, limited);
    const last = said.findLast(([what]) => what === 'failed')?.join(' ');
    expect(last).toMatch(/^failed \[StoreUnavailable\] cannot append to the event log .*: the disk/);
    expectWhole(await readWhole(), said);
    const more = await write(50);
    expectWhole(await readWhole(), [...said, ...more]);
  });
});

describe('a log whose lock another process holds', () => {
  it('gives up after a while, says so, and stays usable', async () => {
    const store = await SqliteEventStore.open(file);
    const holder = new Database(file);
    const events = [{ eventId: 'an-id', type: 'ThingHappened', data: '{}', metadata: '{}' }];
    holder.exec('BEGIN IMMEDIATE');
    const refused = store.append('s', 'no-stream', events);
    await expect(refused).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(refused).rejects.toThrow(`${file}: another process holds its lock (SQLITE_BUSY`);
    expect(await store.readStream('s')).toEqual([]);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await store.append('s', 'no-stream', events)).toMatchObject({ revision: 0 });
    await store.close();
  });
});
