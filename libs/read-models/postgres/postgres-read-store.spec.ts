import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MasterKey, StoreUnavailable } from '#lib/event-store';
import { logKeys } from '../keys/log-key.js';
import { SubjectKeys } from '../keys/subject-keys.js';
import { leasesTable, type LeaseTables, StoredLeases } from '../leases/stored-leases.js';
import type { VersionTables } from './migrate.js';
import { models } from '../models.js';
import { createTables } from '../store/create-tables.js';
import { insertRow } from '../store/row-changes.js';
import { durable } from '../store/statement.js';
import { ChangeRefused, type ReadStore } from '../store/read-store.js';
import { describeLeasesContract } from '#lib/workflow/testing';
import { describeMadeOnce } from '../testing/made-once.contract.js';
import { PostgresServer } from '../testing/postgres-server.js';
import { describeReadStoreContract } from '../testing/read-store.contract.js';
import { openPostgresReadStore } from './open-postgres-read-store.js';

const addLease = insertRow(leasesTable);
const addDurable = durable(addLease);
const noClock = {
  now: () => {
    throw new Error('time is the time of the database');
  },
};

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server.stop());

function schemaOf(url: string): string {
  return /search_path%3D(\w+)/.exec(url)?.[1] ?? '';
}

const LONGEST_WAIT_MS = 30_000;

/** The number of connections that wait for this, as the server names it. */
async function waitersFor(event: string): Promise<number> {
  await setImmediate();
  await server.sql('select pg_stat_clear_snapshot()');
  return (await server.sql('select 1 from pg_stat_activity where wait_event = $1', [event])).length;
}

async function untilWaitersFor(event: string, count: number): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  for (let found = 0; found < count;) {
    found = await waitersFor(event);
    if (performance.now() > end) throw new Error(`${found} of ${count} wait for ${event}.`);
  }
}

/**
 * Writes until a commit waits for the standby server: a server takes a setting in some time after it was asked to.
 * @returns the end of that write
 */
async function waitingCommit(store: ReadStore): Promise<{ readonly written: Promise<void> }> {
  for (let n = 0; ; n += 1) {
    const commit = { isOver: false };
    const lease = addDurable({ name: `commit ${n}`, owner: 'o', expiresAt: 0, token: 1 });
    const written = store.write([lease]).then(() => void (commit.isOver = true));
    while (!commit.isOver) if ((await waitersFor('SyncRep')) > 0) return { written };
  }
}

async function setStandby(name: string): Promise<void> {
  await server.sql(`alter system set synchronous_standby_names = '${name}'`);
  await server.sql('select pg_reload_conf()');
}

async function withStores(
  count: number,
  work: (stores: readonly ReadStore[], schema: string) => Promise<void>,
) {
  const url = await server.emptyPlace();
  const stores = await Promise.all(Array.from({ length: count }, () => openPostgresReadStore(url)));
  try {
    await work(stores, schemaOf(url));
  } finally {
    for (const store of stores) await store.close();
  }
}

describeReadStoreContract(
  'PostgreSQL',
  () => {
    let url: Promise<string> | undefined;
    return {
      open: async () => openPostgresReadStore(await (url ??= server.emptyPlace())),
      cleanup: () => undefined,
    };
  },
  ['places'],
);

describeMadeOnce('PostgreSQL', async () => {
  const url = await server.emptyPlace();
  return () => openPostgresReadStore(url);
});

describeLeasesContract('a read store on PostgreSQL', async () => {
  const url = await server.emptyPlace();
  const schema = schemaOf(url);
  const stores = [await openPostgresReadStore(url), await openPostgresReadStore(url)] as const;
  return {
    leases: await StoredLeases.open(stores[0], noClock),
    others: await StoredLeases.open(stores[1], noClock),
    // The clock is the database's: instead of it the ends of the leases move.
    pass: async (milliseconds) => {
      await server.sql(`update ${schema}.leases set expires_at = expires_at - $1`, [milliseconds]);
    },
    cleanup: async () => {
      for (const store of stores) await store.close();
    },
  };
});

describe('a PostgreSQL read store', () => {
  it('is made once by processes that start at the same moment', async () => {
    await withStores(6, async (stores) => {
      const made = await Promise.all(
        stores.map((store) =>
          store.write(createTables(models.flatMap(({ kinds }) => kinds.map(({ table }) => table)))),
        ),
      );
      expect(made).toEqual(stores.map(() => true));
      expect(
        await stores[0]?.db.withTables<VersionTables>().selectFrom('schema_version').selectAll().execute(),
      ).toEqual([{ name: 'read store', version: 2 }]);
    });
  });

  it('refuses tables of a newer Redial', async () => {
    const url = await server.emptyPlace();
    const store = await openPostgresReadStore(url);
    await store.write([]);
    const schema = schemaOf(url);
    await server.sql(`update ${schema}.schema_version set version = 99`);
    await store.close();
    await expect(openPostgresReadStore(url)).rejects.toThrow(
      /^\[StoreUnavailable\] cannot open the read store 127\.0\.0\.1:\d+\/postgres: .*version 99.*newer version of Redial/,
    );
  });

  it('hears what others wait for that another store writes, even after its connection was cut', async () => {
    await withStores(2, async ([one, other]) => {
      if (!one || !other) throw new Error('There are two.');
      const heard = async (name: string) => {
        const seen = other.arrivals.count;
        const waiting = other.arrivals.after(seen, new AbortController().signal);
        await one.write([{ ...addLease({ name, owner: 'o', expiresAt: 0, token: 1 }), awaited: true }]);
        await waiting;
      };
      await heard('a');
      await server.cutConnections();
      // The announcement of the new connection.
      const seen = other.arrivals.count;
      await other.arrivals.after(seen, new AbortController().signal);
      await heard('b');
      expect(
        await other.db
          .withTables<LeaseTables>()
          .selectFrom('leases')
          .select('name')
          .orderBy('name')
          .execute(),
      ).toHaveLength(2);
    });
  });

  it('waits for the disk with the keys of subjects and logs, and with no row and no lease, also of a taking that loses a race', async () => {
    await withStores(3, async (stores, schema) => {
      const [one, other] = stores;
      if (!one || !other) throw new Error('There are three.');
      const all = await Promise.all(stores.map((store) => StoredLeases.open(store, noClock)));
      const master = new MasterKey(new Uint8Array(32));
      const subjects = new SubjectKeys('log', master, (use) => use(one));
      await subjects.make('earlier');
      // Commits that wait for the disk wait for this standby server too, which does not exist.
      await setStandby('nobody');
      try {
        const { written } = await waitingCommit(other);
        const keys = [subjects.make('ann'), logKeys(one, 'log', () => 'a key')] as const;
        await untilWaitersFor('SyncRep', 3);
        expect(await one.write([addLease({ name: 'a', owner: 'o', expiresAt: 0, token: 1 })])).toBe(true);
        await server.sql(`begin; select last from ${schema}.lease_tokens for update`);
        const takings = all.map((leases, n) => leases.acquire('work', `${n}`, 60_000));
        await untilWaitersFor('transactionid', 1);
        await untilWaitersFor('tuple', 2);
        // A commit would wait for it too.
        await server.sql('rollback');
        expect((await Promise.all(takings)).filter((token) => token !== undefined)).toHaveLength(1);
        await setStandby('');
        expect(await Promise.all(keys)).toMatchObject([{ length: 32 }, { key: 'a key' }]);
        await written;
      } finally {
        await server.sql('rollback');
        await setStandby('');
      }
    });
  });

  it('refuses text with a NUL when it is written, and finds nothing for it', async () => {
    await withStores(1, async ([store]) => {
      const lease = addLease({ name: 'a\0b', owner: 'o', expiresAt: 0, token: 1 });
      await expect(store?.write([lease])).rejects.toThrow(ChangeRefused);
      const found = store?.db
        .withTables<LeaseTables>()
        .selectFrom('leases')
        .selectAll()
        .where('name', '=', 'a\0b')
        .execute();
      expect(await found).toEqual([]);
    });
  });

  it('sorts text by its bytes, not by the language of the database', async () => {
    await withStores(1, async ([store]) => {
      const names = ['a-2', 'B', 'a.1', 'Z', '_', 'é', 'a1'];
      await store?.write(names.map((name) => addLease({ name, owner: 'o', expiresAt: 0, token: 1 })));
      const rows = await store?.db
        .withTables<LeaseTables>()
        .selectFrom('leases')
        .select('name')
        .orderBy('name')
        .execute();
      expect(rows?.map(({ name }) => name)).toEqual(names.toSorted());
    });
  });

  const wrong: readonly (readonly [string, (url: URL) => void, RegExp])[] = [
    [
      'a port without a listener',
      (url) => (url.port = '1'),
      /127\.0\.0\.1:1\/postgres: it cannot be reached/,
    ],
    ['an unknown user', (url) => (url.username = 'nobody'), /it refused the user or the password/],
    ['a wrong password', (url) => (url.password = 'wrong'), /it refused the user or the password/],
    ['an unknown database', (url) => (url.pathname = '/nowhere'), /\d\/nowhere: the database does not exist/],
    [
      'a server that only reads',
      (url) => (url.search += '%20-c%20default_transaction_read_only%3Don'),
      /can only be read/,
    ],
  ];
  it.each(wrong)('says what to check for %s, without user and password', async (_, spoil, why) => {
    const url = new URL(await server.emptyPlace());
    spoil(url);
    const opening = openPostgresReadStore(String(url));
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(why);
    const { message, cause } = (await opening.catch((error: unknown) => error)) as Error;
    expect(`${message} ${String(cause)}`).not.toMatch(/canary|redial:|nobody|wrong/);
  });

  it('does not show a text that it cannot read', async () => {
    const opening = openPostgresReadStore('postgres://user:secret@127.0.0.1:port/postgres');
    await expect(opening).rejects.toThrow(/^\[StoreUnavailable\] (?!.*secret).*cannot be read/);
  });

  it('works again after every connection was closed', async () => {
    await withStores(1, async ([store]) => {
      await server.cutConnections();
      const leases = () => store?.db.withTables<LeaseTables>().selectFrom('leases').selectAll().execute();
      const write = (name: string) => store?.write([addLease({ name, owner: 'o', expiresAt: 0, token: 1 })]);
      // Each open connection may fail once, with a message; then it is replaced.
      const soon = async <T>(ask: () => Promise<T>, connections: number): Promise<T> =>
        ask().catch((failure: unknown) => {
          if (connections === 0 || !(failure instanceof StoreUnavailable)) throw failure;
          return soon(ask, connections - 1);
        });
      await Promise.all([soon(async () => write('a'), 4), soon(async () => leases(), 6)]);
      expect(await soon(async () => write('b'), 4)).toBe(true);
      expect((await soon(async () => leases(), 6))?.map(({ name }) => name)).toContain('b');
    });
  });
});
