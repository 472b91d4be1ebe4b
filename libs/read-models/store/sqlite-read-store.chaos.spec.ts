import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Database } from '#lib/event-store-sqlite';
import { temporaryFolder } from '#lib/kernel/testing';
import { openSqliteReadStore } from './open-sqlite-read-store.js';

it('reports a lock that is never let go', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'read.db');
  const store = await openSqliteReadStore(file);
  const other = new Database(file);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.write([])).rejects.toThrow(/^\[StoreUnavailable\].*another process holds its lock/);
  other.close();
  expect(await store.write([])).toBe(true);
  await store.close();
});
