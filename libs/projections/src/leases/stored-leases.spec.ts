import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import { describeLeasesContract } from '../testing/leases.contract.js';
import { tempDir } from '../testing/temp-dir.js';
import { StoredLeases } from './stored-leases.js';

describeLeasesContract('a read store on SQLite', async () => {
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => new Date(now) };
  const dir = tempDir();
  const file = join(dir.path, 'read.db');
  const stores = [await openSqliteReadStore(file), await openSqliteReadStore(file)] as const;
  return {
    leases: await StoredLeases.open(stores[0], clock),
    others: await StoredLeases.open(stores[1], clock),
    pass: (milliseconds) => {
      now += milliseconds;
    },
    cleanup: async () => {
      for (const store of stores) await store.close();
      dir.remove();
    },
  };
});

it('counts the takings of a lease in its token, not the renewals, and keeps no row of one that was given back', async () => {
  let time = 0;
  const dir = tempDir();
  const store = await openSqliteReadStore(join(dir.path, 'read.db'));
  const leases = await StoredLeases.open(store, { now: () => new Date(time) });
  const token = async () => {
    const row = await store.db.selectFrom('leases').select('token').executeTakeFirstOrThrow();
    return row.token;
  };
  await leases.acquire('work', 'a', 10);
  await leases.acquire('work', 'a', 10);
  expect(await token()).toBe(1);
  time = 20;
  await leases.acquire('work', 'b', 10);
  expect(await token()).toBe(2);
  await leases.release('work', 'a');
  expect(await token()).toBe(2);
  await leases.release('work', 'b');
  expect(await store.db.selectFrom('leases').selectAll().execute()).toEqual([]);
  await store.close();
  dir.remove();
});
