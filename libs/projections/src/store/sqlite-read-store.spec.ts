import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '#lib/event-store-sqlite';
import { StoreUnavailable } from '#lib/event-store';
import { leasesTable } from '../leases/stored-leases.js';
import { proposalsTable } from '../decisions/proposals.read-model.js';
import { sessionEventsTable } from '../session-events/session-events.read-model.js';
import { describeReadStoreContract } from '../testing/read-store.contract.js';
import { tempDir } from '../testing/temp-dir.js';
import { createTables } from './create-tables.js';
import { insertRow } from './row-changes.js';
import { openSqliteReadStore } from './open-sqlite-read-store.js';

const addLease = insertRow(leasesTable);

describeReadStoreContract('SQLite', () => {
  const dir = tempDir();
  return { open: () => openSqliteReadStore(join(dir.path, 'read.db')), cleanup: () => dir.remove() };
});

describe('a SQLite read store', () => {
  let dir: ReturnType<typeof tempDir>;
  beforeEach(() => {
    dir = tempDir();
  });
  afterEach(() => dir.remove());

  it('makes the folders above its file', async () => {
    const file = join(dir.path, 'a', 'b', 'read.db');
    await (await openSqliteReadStore(file)).close();
    expect(existsSync(file)).toBe(true);
  });

  it('stores the rows of a table without indexes once, in the order of their key', async () => {
    const file = join(dir.path, 'read.db');
    const store = await openSqliteReadStore(file);
    await store.write(createTables([proposalsTable, sessionEventsTable]));
    await store.close();
    const db = new Database(file);
    const indexes = db.prepare("select tbl_name from sqlite_schema where type = 'index'").pluck().all();
    db.close();
    expect(indexes).toContain(proposalsTable.name);
    expect(indexes).not.toContain(sessionEventsTable.name);
  });

  it('refuses a file that is no database, and says so', async () => {
    const file = join(dir.path, 'read.db');
    writeFileSync(file, 'This is no database, whatever its name says. '.repeat(100));
    const opening = openSqliteReadStore(file);
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(/^\[StoreUnavailable\] cannot open the read store .*not a whole/);
  });

  it('refuses a folder in the place of its file', async () => {
    const file = join(dir.path, 'read.db');
    mkdirSync(file);
    await expect(openSqliteReadStore(file)).rejects.toThrow(StoreUnavailable);
  });

  it('refuses a folder that is a file', async () => {
    writeFileSync(join(dir.path, 'file'), '');
    const opening = openSqliteReadStore(join(dir.path, 'file', 'read.db'));
    await expect(opening).rejects.toThrow(/^\[StoreUnavailable\].*cannot be opened or written/);
  });

  it('reads, and waits with its writes, while another process holds the lock', async () => {
    const file = join(dir.path, 'read.db');
    const store = await openSqliteReadStore(file);
    await store.write(createTables([leasesTable]));
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const writing = store.write([addLease({ name: 'a', owner: 'b', expiresAt: 0, token: 1 })]);
    const leases = () => store.db.selectFrom('leases').select('name').execute();
    expect(await leases()).toEqual([]);
    other.exec('COMMIT');
    other.close();
    expect(await writing).toBe(true);
    expect(await leases()).toEqual([{ name: 'a' }]);
    await store.close();
  });
});
