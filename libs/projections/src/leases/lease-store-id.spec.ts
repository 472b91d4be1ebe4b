import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomIds } from '#lib/kernel';
import { openPostgresReadStore } from '../postgres/open-postgres-read-store.js';
import { openSqliteReadStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { tempDir } from '../testing/temp-dir.js';
import { leaseStoreId } from './stored-leases.js';

let postgres: PostgresServer;
let dir: ReturnType<typeof tempDir>;
let opened: ReadStore[];
beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  dir = tempDir();
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  dir.remove();
});

const engines = {
  SQLite: async (name: string) => {
    const path = join(dir.path, name);
    return () => openSqliteReadStore(path);
  },
  PostgreSQL: async () => {
    const url = await postgres.emptyPlace();
    return () => openPostgresReadStore(url);
  },
};

describe.each(Object.entries(engines))('the id of a read store on %s', (_, placeNamed) => {
  const idBy = async (open: () => Promise<ReadStore>) => {
    const store = await open();
    opened.push(store);
    return leaseStoreId(store, randomIds);
  };

  it('is the same for everybody and at every time, also for those who ask first at the same moment', async () => {
    const open = await placeNamed('a');
    const ids = await Promise.all([1, 2, 3, 4].map(() => idBy(open)));
    expect(new Set([...ids, await idBy(open)]).size).toBe(1);
  });

  it('is another one for another store', async () => {
    const ids = [await idBy(await placeNamed('a')), await idBy(await placeNamed('b'))];
    expect(new Set(ids).size).toBe(2);
  });
});
