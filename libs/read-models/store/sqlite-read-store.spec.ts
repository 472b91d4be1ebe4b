import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '#lib/event-store-sqlite';
import { StoreUnavailable } from '#lib/event-store';
import { leasesTable, type LeaseTables } from '../leases/stored-leases.js';
import { decisionWinsTable, proposalsTable } from '../decisions/decisions.tables.js';
import { describeReadStoreContract } from '../testing/read-store.contract.js';
import { temporaryFolder } from '#lib/kernel/testing';
import { createTables } from './create-tables.js';
import { insertRow } from './row-changes.js';
import { openMemoryReadStore, openSqliteReadStore } from './open-sqlite-read-store.js';
import { ChangeRefused, type ReadStore } from './read-store.js';

const addLease = insertRow(leasesTable);

describeReadStoreContract(
  'SQLite',
  () => {
    const dir = temporaryFolder();
    return { open: () => openSqliteReadStore(join(dir, 'read.db')), cleanup: () => undefined };
  },
  ['places'],
);

describeReadStoreContract('SQLite in memory', () => {
  return { open: async () => openMemoryReadStore(), cleanup: () => undefined };
});

describe('a SQLite read store', () => {
  let dir: string;
  beforeEach(() => {
    dir = temporaryFolder();
  });

  it('makes the folders above its file', async () => {
    const file = join(dir, 'a', 'b', 'read.db');
    await (await openSqliteReadStore(file)).close();
    expect(existsSync(file)).toBe(true);
  });

  it('stores the rows of a table without indexes once, in the order of their key', async () => {
    const file = join(dir, 'read.db');
    const store = await openSqliteReadStore(file);
    await store.write(createTables([proposalsTable, decisionWinsTable]));
    await store.close();
    const db = new Database(file);
    const indexes = db.prepare("select tbl_name from sqlite_schema where type = 'index'").pluck().all();
    db.close();
    expect(indexes).toContain(proposalsTable.name);
    expect(indexes).not.toContain(decisionWinsTable.name);
  });

  it('refuses a file that is not a database, and says so', async () => {
    const file = join(dir, 'read.db');
    writeFileSync(file, 'This is no database, whatever its name says. '.repeat(100));
    const opening = openSqliteReadStore(file);
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(/^\[StoreUnavailable\] cannot open the read store .*not a whole/);
  });

  it('0.2-X4: says of a damaged file that it is filled again, and not that a copy is to be restored', async () => {
    const file = join(dir, 'read.db');
    writeFileSync(file, 'This is no database, whatever its name says. '.repeat(100));
    await expect(openSqliteReadStore(file)).rejects.toThrow(
      /delete it with its -wal and -shm files, and start: it is filled again from the log/,
    );
  });

  it.each(['removed', 'replaced'])('0.2-X4: writes nothing any more once its file is %s', async (how) => {
    const file = join(dir, 'read.db');
    const store = await openSqliteReadStore(file);
    await store.write(createTables([leasesTable]));
    const lease = addLease({ name: 'run', owner: 'one', expiresAt: 0, token: 1 });
    rmSync(file);
    const other = how === 'replaced' ? await openSqliteReadStore(file) : undefined;
    await expect(store.write([lease])).rejects.toThrow(
      /^\[StoreUnavailable\] cannot write the read store .*removed or replaced since it was opened.* then start: it is filled again/,
    );
    await Promise.all([store.close(), other?.close()]);
  });

  it('refuses a folder in the place of its file', async () => {
    const file = join(dir, 'read.db');
    mkdirSync(file);
    await expect(openSqliteReadStore(file)).rejects.toThrow(StoreUnavailable);
  });

  it('refuses a folder that is a file', async () => {
    writeFileSync(join(dir, 'file'), '');
    const opening = openSqliteReadStore(join(dir, 'file', 'read.db'));
    await expect(opening).rejects.toThrow(/^\[StoreUnavailable\].*cannot be opened or written/);
  });

  it('reads, and waits with its writes, while another process holds the lock', async () => {
    const file = join(dir, 'read.db');
    const store = await openSqliteReadStore(file);
    await store.write(createTables([leasesTable]));
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const writing = store.write([addLease({ name: 'a', owner: 'b', expiresAt: 0, token: 1 })]);
    const leases = () => store.db.withTables<LeaseTables>().selectFrom('leases').select('name').execute();
    expect(await leases()).toEqual([]);
    other.exec('COMMIT');
    other.close();
    expect(await writing).toBe(true);
    expect(await leases()).toEqual([{ name: 'a' }]);
    await store.close();
  });

  describe('in a long transaction', () => {
    const file = () => join(dir, 'read.db');
    const ROWS = 50;
    const leases = Array.from({ length: ROWS }, (_, n) =>
      addLease({ name: `${n}`, owner: 'b', expiresAt: 0, token: 1 }),
    );
    const rowsIn = async (store: ReadStore) =>
      (await store.db.withTables<LeaseTables>().selectFrom('leases').select('name').execute()).length;
    let store: ReadStore;
    let clock: jest.SpiedFunction<typeof performance.now>;
    beforeEach(async () => {
      store = await openSqliteReadStore(file());
      await store.write(createTables([leasesTable]));
      // Each change takes a slice of its own.
      let now = performance.now();
      clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    });
    afterEach(async () => {
      clock.mockRestore();
      await store.close();
    });

    it('gives other work its turn after each slice, and shows no row before its end', async () => {
      const seen: number[] = [];
      const writing = store.write(leases);
      while (!seen.includes(ROWS)) {
        await setImmediate();
        seen.push(await rowsIn(store));
      }
      expect(await writing).toBe(true);
      expect(seen.filter((rows) => rows === 0).length).toBeGreaterThan(ROWS / 2);
      expect(new Set(seen)).toEqual(new Set([0, ROWS]));
    });

    it('keeps what another write of the same turn brings when one of its own is refused', async () => {
      const refused = store.write([...leases, ...leases]);
      const kept = store.write(leases);
      await expect(refused).rejects.toThrow(ChangeRefused);
      expect([await kept, await rowsIn(store)]).toEqual([true, ROWS]);
    });

    it('is completed when the store is closed meanwhile', async () => {
      const writing = store.write(leases);
      for (let turn = 0; turn < ROWS / 2; turn++) await setImmediate();
      const closing = store.close();
      await expect(store.write(leases)).rejects.toThrow(StoreUnavailable);
      expect(await writing).toBe(true);
      await closing;
      store = await openSqliteReadStore(file());
      expect(await rowsIn(store)).toBe(ROWS);
    });

    it('lets another store on the file wait for its end', async () => {
      const other = await openSqliteReadStore(file());
      const writing = store.write(leases);
      await setImmediate();
      const token = addLease({ name: 'of the other', owner: 'b', expiresAt: 0, token: 1 });
      expect([await other.write([token]), await writing]).toEqual([true, true]);
      await other.close();
      expect(await rowsIn(store)).toBe(ROWS + 1);
    });
  });
});
