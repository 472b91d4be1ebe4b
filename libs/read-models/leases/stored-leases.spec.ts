import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { systemClock } from '#lib/kernel';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import { describeLeasesContract } from '#lib/workflow/testing';
import { describeMadeOnce } from '../testing/made-once.contract.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { type LeaseTables, StoredLeases } from './stored-leases.js';

describeLeasesContract('a read store on SQLite', async () => {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => new Date(now) };
  const dir = temporaryFolder();
  const file = join(dir, 'read.db');
  const stores = [await openSqliteReadStore(file), await openSqliteReadStore(file)] as const;
  return {
    leases: await StoredLeases.open(stores[0], clock),
    others: await StoredLeases.open(stores[1], clock),
    pass: (milliseconds) => {
      now += milliseconds;
    },
    cleanup: async () => {
      for (const store of stores) await store.close();
    },
  };
});

describeMadeOnce('SQLite', async () => {
  const dir = temporaryFolder();
  return () => openSqliteReadStore(join(dir, 'read.db'));
});

it('keeps no row of a lease that was given back', async () => {
  const dir = temporaryFolder();
  const store = await openSqliteReadStore(join(dir, 'read.db'));
  const leases = await StoredLeases.open(store, systemClock);
  const token = await leases.acquire('work', 'a', 10);
  await leases.release('work', token ?? 0);
  expect(await store.db.withTables<LeaseTables>().selectFrom('leases').selectAll().execute()).toEqual([]);
  await store.close();
});
