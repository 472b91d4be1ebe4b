import { beforeEach, describe, expect, it } from '@jest/globals';
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import { StoreUnavailable } from '#lib/event-store';
import { Database } from './database.mjs';
import { SqliteEventStore } from './sqlite-event-store.js';

const EVENTS = 3_000;
const PAGE = 8192;

describe('a damaged log file (X-S10)', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    file = join(folder, 'log.sqlite');
    const store = await SqliteEventStore.open(file);
    const event = (n: number) => ({
      eventId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      type: 'ThingHappened',
      data: JSON.stringify({ n, text: 'x'.repeat(1_000) }),
      metadata: '{}',
    });
    for (let n = 0; n < EVENTS; n += 500)
      await store.append(
        's',
        'any',
        Array.from({ length: 500 }, (_, index) => event(n + index)),
      );
    await store.close();
  });

  function damage(page: number): void {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(PAGE, 0xa5), 0, PAGE, page * PAGE);
    closeSync(handle);
  }
  function pageOf(name: string): number {
    const db = new Database(file, { readonly: true });
    const root = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
    const page = root.get(name);
    db.close();
    return page as number;
  }
  const pages = () => Math.floor(statSync(file).size / PAGE);
  const more = { eventId: '00000000-0000-4000-9000-000000000000', type: 'T', data: '{}', metadata: '{}' };

  it('is sound when nothing happened to it, and takes appends', async () => {
    const store = await SqliteEventStore.open(file);
    expect(await store.checkIntegrity()).toEqual([]);
    await store.append('s', EVENTS - 1, [more]);
    await store.close();
  });

  it('is found by the check when a page in the middle is damaged, and takes no appends from then on', async () => {
    damage(Math.floor(pages() / 3));
    const store = await SqliteEventStore.open(file);
    expect(await store.checkIntegrity()).not.toEqual([]);
    await expect(store.append('other', 'no-stream', [more])).rejects.toThrow(
      /^\[StoreUnavailable\] the event log .*log\.sqlite: the file is damaged/,
    );
    await store.close();
  });

  it('is checked no more once the store is closed, and the folder can be removed', async () => {
    const store = await SqliteEventStore.open(file);
    const checking = store.checkIntegrity();
    const [outcome] = await Promise.allSettled([checking, store.close()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
    expect(readdirSync(folder)).toEqual(['log.sqlite']);
  });

  it('is not called sound by a check that could not read it', async () => {
    const store = await SqliteEventStore.open(file);
    await rm(file);
    await expect(store.checkIntegrity()).rejects.toThrow(/^\[StoreUnavailable\] the check of the event log/);
    await store.close();
  });

  it('is checked without a process while it is small', async () => {
    const store = await SqliteEventStore.open(join(folder, 'small.sqlite'));
    await store.append('s', 'no-stream', [more]);
    // Only a process can be ended.
    const [check] = await Promise.allSettled([store.checkIntegrity(), store.close()]);
    expect(check).toEqual({ status: 'fulfilled', value: [] });
  });

  it('is found in a small log, too', async () => {
    file = join(folder, 'small.sqlite');
    const whole = await SqliteEventStore.open(file);
    await whole.append('s', 'no-stream', [more]);
    await whole.close();
    // The index of `streams`, which opening does not read.
    damage(pageOf('sqlite_autoindex_streams_1') - 1);
    const store = await SqliteEventStore.open(file);
    expect(await store.checkIntegrity()).not.toEqual([]);
    await expect(store.append('s', 'any', [more])).rejects.toThrow(/the file is damaged/);
    await store.close();
  });

  it('is not opened when the last events are damaged', async () => {
    const count = pages();
    for (let page = count - 40; page < count; page++) damage(page);
    await expect(SqliteEventStore.open(file)).rejects.toThrow(StoreUnavailable);
  });
});
