import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MasterKey } from '#lib/event-store';
import { temporaryFolder } from '#lib/kernel/testing';
import { openPostgresReadStore } from '../postgres/open-postgres-read-store.js';
import { openMemoryReadStore, openSqliteKeyStore } from '../store/open-sqlite-read-store.js';
import type { ReadStore } from '../store/read-store.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { describeSubjectKeys } from '../testing/subject-keys.contract.js';
import { SubjectKeys, type WithKeyStore } from './subject-keys.js';

/** Opens the store for each use. */
function opening(open: () => Promise<ReadStore>): WithKeyStore {
  return async (use) => {
    const store = await open();
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
}

describeSubjectKeys('a file', () => {
  const file = join(temporaryFolder(), 'keys.sqlite');
  return Promise.resolve(opening(() => openSqliteKeyStore(file)));
});

describeSubjectKeys('memory', () => {
  const store = openMemoryReadStore();
  return Promise.resolve((use) => use(store));
});

describe('PostgreSQL', () => {
  let server: PostgresServer;
  const stores: ReadStore[] = [];
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await server.stop();
  });
  // An engine has it open all the time.
  describeSubjectKeys('PostgreSQL', async () => {
    const store = await openPostgresReadStore(await server.emptyPlace());
    stores.push(store);
    return (use) => use(store);
  });
});

describe('a key that was destroyed', () => {
  it('is in no file of the store, not even wrapped, also while another process has it open', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'keys.sqlite');
    const other = await openSqliteKeyStore(file);
    const master = new MasterKey(randomBytes(32));
    const keys = new SubjectKeys(
      'log',
      master,
      opening(() => openSqliteKeyStore(file)),
    );
    await keys.make('ann');
    const [row] = await other.db
      .withTables<{ subject_keys_v1: { wrapped: string } }>()
      .selectFrom('subject_keys_v1')
      .selectAll()
      .execute();
    const wrapped = row?.wrapped ?? '';
    const bytes = () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join();
    expect(wrapped.length).toBeGreaterThan(60);
    expect(bytes()).toContain(wrapped);
    await keys.erase('ann', '2026-11-27T10:00:00.000Z');
    expect(bytes()).not.toContain(wrapped);
    expect(bytes()).not.toContain(wrapped.slice(20, 40));
    await other.close();
  });
});
