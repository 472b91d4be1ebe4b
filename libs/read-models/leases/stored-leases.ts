import type { Clock, IdSource } from '#lib/kernel';
import { type Leases, LONGEST_LEASE_MS } from '#lib/workflow';
import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import { createTables } from '../store/create-tables.js';
import { deleteRow, insertRowOnce, updateRow } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import { asCondition, statement } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';

export const leasesTable = table(
  'leases',
  { name: 'text', owner: 'text', expires_at: 'bigint', token: 'bigint' },
  ['name'],
);

/** The last token that was given, for all leases; one row. It outlives the rows of `leases`. */
const leaseTokensTable = table('lease_tokens', { name: 'text', last: 'bigint' }, ['name']);

export type LeaseTables = SchemaOf<typeof leasesTable | typeof leaseStoreTable | typeof leaseTokensTable>;
type Time = number | RawBuilder<number>;
type LeaseRows = Pick<LeaseTables, 'leases'>;
const COUNTER = 'leases';
const startCounting = insertRowOnce(leaseTokensTable);

/** First in the transaction: takings wait for each other here, so no token comes twice. */
const countUp = statement({ name: 'text' }, (db, { name }) =>
  db
    .withTables<LeaseTables>()
    .updateTable('lease_tokens')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('name', '=', name),
);

function isExpired(eb: ExpressionBuilder<LeaseRows, 'leases'>, now: Time): Expression<SqlBool> {
  const latest = sql<number>`${now} + ${LONGEST_LEASE_MS}`;
  return eb.or([eb('leases.expires_at', '<=', now), eb('leases.expires_at', '>', latest)]);
}

/** A renewal by the owner keeps the token; a new owner gets the newest one. */
const take = (nowOf: (values: { now: number }) => Time) =>
  statement({ name: 'text', owner: 'text', ttl_ms: 'bigint', now: 'bigint' }, (db, values) => {
    const { name, owner, ttl_ms } = values;
    const now = nowOf(values);
    const expiresAt = sql<number>`${now} + ${ttl_ms}`;
    const token = db.withTables<LeaseTables>().selectFrom('lease_tokens').select('last');
    return db
      .withTables<LeaseTables>()
      .insertInto('leases')
      .values({ name, owner, expires_at: expiresAt, token })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({
            owner,
            expires_at: expiresAt,
            token: eb.case().when('leases.owner', '=', owner).then(eb.ref('leases.token')).else(token).end(),
          }))
          .where((eb) => eb.or([eb('leases.owner', '=', owner), isExpired(eb, now)])),
      );
  });

const prolong = (nowOf: (values: { now: number }) => Time) =>
  statement({ name: 'text', token: 'bigint', ttl_ms: 'bigint', now: 'bigint' }, (db, values) =>
    db
      .withTables<LeaseTables>()
      .updateTable('leases')
      .set({ expires_at: sql<number>`${nowOf(values)} + ${values.ttl_ms}` })
      .where('name', '=', values.name)
      .where('token', '=', values.token),
  );

/** Deletes the row: there is one for each running session or run, none for ended ones. */
const giveBack = deleteRow(leasesTable, ['name', 'token']);

const setOwner = updateRow(leasesTable, ['name', 'token'], ['owner', 'expires_at']);

/**
 * Leases in the read store: processes that share it share them. Time is the store's own if it has one, so that clocks of
 * machines may differ; else the clock of each process.
 */
export class StoredLeases implements Leases {
  readonly #take: ReturnType<typeof take>;
  readonly #prolong: ReturnType<typeof prolong>;

  private constructor(
    private readonly store: ReadStore,
    private readonly clock: Clock,
  ) {
    const { now } = store;
    const nowOf = now ? () => now : (values: { now: number }) => values.now;
    this.#take = take(nowOf);
    this.#prolong = prolong(nowOf);
  }

  /** Makes the tables if there are none. @throws StoreUnavailable */
  static async open(store: ReadStore, clock: Clock): Promise<StoredLeases> {
    const counter = startCounting({ name: COUNTER, last: 0 });
    await store.write([...createTables([leasesTable, leaseTokensTable]), counter]);
    return new StoredLeases(store, clock);
  }

  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    const taking = this.#take({ name, owner, ttlMs, now: this.#now });
    if (!(await this.store.write([asCondition(countUp({ name: COUNTER })), asCondition(taking)])))
      return undefined;
    const row = this.store.db
      .withTables<LeaseTables>()
      .selectFrom('leases')
      .select('token')
      .where('name', '=', name);
    return (await row.where('owner', '=', owner).executeTakeFirst())?.token;
  }

  renew(name: string, token: number, ttlMs: number): Promise<boolean> {
    return this.store.write([asCondition(this.#prolong({ name, token, ttlMs, now: this.#now }))]);
  }

  async release(name: string, token: number): Promise<void> {
    await this.store.write([giveBack({ name, token })]);
  }

  async leave(name: string, token: number): Promise<void> {
    // An owner that no process has, so that the next taking gets a new token.
    await this.store.write([setOwner({ name, token, owner: '', expiresAt: 0 })]);
  }

  async expired(limit: number): Promise<readonly string[]> {
    const now: Time = this.store.now ?? this.#now;
    const rows = this.store.db
      .withTables<LeaseTables>()
      .selectFrom('leases')
      .select('name')
      .where((eb) => isExpired(eb, now));
    return (await rows.orderBy('expires_at').limit(limit).execute()).map(({ name }) => name);
  }

  async heldAmong(names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    const now: Time = this.store.now ?? this.#now;
    const rows = this.store.db
      .withTables<LeaseTables>()
      .selectFrom('leases')
      .select('name')
      .where('name', 'in', names);
    return (await rows.where((eb) => eb.not(isExpired(eb, now))).execute()).map(({ name }) => name);
  }

  /** Not used by a store that has a time of its own. */
  get #now(): number {
    return this.store.now ? 0 : this.clock.now().getTime();
  }
}

/** The identity of this read store as a store of leases; one row. */
export const leaseStoreTable = table('lease_store', { name: 'text', id: 'text' }, ['name']);

const NAME = 'leases';
const nameOnce = insertRowOnce(leaseStoreTable);

/**
 * The identity of this read store as a store of leases. The first process creates it; of several at once, one does.
 * It goes with the store: who empties or loses it gets another, and who copies it gets the same twice.
 * @throws StoreUnavailable
 */
export async function leaseStoreId(store: ReadStore, ids: IdSource): Promise<string> {
  await store.write([...createTables([leaseStoreTable]), nameOnce({ name: NAME, id: ids.next() })]);
  const { id } = await store.db
    .withTables<LeaseTables>()
    .selectFrom('lease_store')
    .select('id')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow();
  return id;
}
