import type { Clock, IdSource } from '#lib/kernel';
import { type Leases, LONGEST_LEASE_MS } from '#lib/workflow';
import {
  type Expression,
  type ExpressionBuilder,
  type InsertQueryBuilder,
  type InsertResult,
  type QueryCreator,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely';
import { createTables } from '../store/create-tables.js';
import type { Row } from '../store/columns.js';
import { deleteRow, insertRowOnce, updateRow } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import { asCondition, type Change, statement } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';

export const leasesTable = table(
  'leases',
  { name: 'text', owner: 'text', expires_at: 'bigint', token: 'bigint' },
  ['name'],
);

/** The last token of all leases; one row. It outlives the rows of `leases`. */
const leaseTokensTable = table('lease_tokens', { name: 'text', last: 'bigint' }, ['name']);

export type LeaseTables = SchemaOf<typeof leasesTable | typeof leaseStoreTable | typeof leaseTokensTable>;
type Time = number | RawBuilder<number>;
type LeaseRows = Pick<LeaseTables, 'leases'>;
const COUNTER = 'leases';
const startCounting = insertRowOnce(leaseTokensTable);

function isExpired(eb: ExpressionBuilder<LeaseRows, 'leases'>, now: Time): Expression<SqlBool> {
  const latest = sql<number>`${now} + ${LONGEST_LEASE_MS}`;
  return eb.or([eb('leases.expires_at', '<=', now), eb('leases.expires_at', '>', latest)]);
}

type NowOf = (values: { now: number }) => Time;
const takingColumns = { name: 'text', owner: 'text', ttl_ms: 'bigint', now: 'bigint' } as const;
type Taking = Row<typeof takingColumns>;

/** Takings lock this row, so no token comes twice. */
function counting(db: QueryCreator<LeaseTables>) {
  return db
    .updateTable('lease_tokens')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('name', '=', COUNTER);
}

/** The first change of the transaction. */
const countUp = statement({}, (db) => counting(db.withTables<LeaseTables>()));

const take = (nowOf: NowOf) =>
  statement(takingColumns, (db, values) => {
    const { name, owner } = values;
    const token = db.withTables<LeaseTables>().selectFrom('lease_tokens').select('last');
    const row = { name, owner, expires_at: endOf(values, nowOf), token };
    return ofExpired(db.withTables<LeaseTables>().insertInto('leases').values(row), nowOf(values));
  });

const WITHOUT_WAITING = sql<string>`set_config('synchronous_commit', 'off', true)`.as('waits');

/**
 * Counts and takes in one statement, for PostgreSQL. A taking that sees a lease of others at its start writes nothing. One that
 * loses a race skips a token and changes no lease: its commit must not wait for the disk either, because all takings wait for it.
 */
const countUpAndTake = (nowOf: NowOf) =>
  statement(takingColumns, (db, values) => {
    const row = db
      .withTables<LeaseTables>()
      .with('counted', (it) =>
        counting(it)
          .where((eb) => eb.not(eb.exists(heldByOthers(eb, values, nowOf))))
          .returning(['last as token', WITHOUT_WAITING]),
      )
      .insertInto('leases')
      .columns(['name', 'owner', 'expires_at', 'token'])
      .expression((eb) =>
        eb
          .selectFrom('counted')
          .select([
            sql<string>`${values.name}`.as('name'),
            sql<string>`${values.owner}`.as('owner'),
            endOf(values, nowOf).as('expires_at'),
            'token',
          ]),
      );
    return ofExpired(row, nowOf(values));
  });

function heldByOthers(eb: ExpressionBuilder<LeaseTables, 'lease_tokens'>, values: Taking, nowOf: NowOf) {
  return eb
    .selectFrom('leases')
    .select('leases.name')
    .where('leases.name', '=', values.name)
    .where('leases.owner', '!=', values.owner)
    .where((lease) => lease.not(isExpired(lease, nowOf(values))));
}

function endOf(values: Pick<Taking, 'now' | 'ttl_ms'>, nowOf: NowOf) {
  return sql<number>`${nowOf(values)} + ${values.ttl_ms}`;
}

/** A renewal by the owner keeps the token; a new owner gets the newest one. */
function ofExpired(row: InsertQueryBuilder<LeaseTables, 'leases', InsertResult>, now: Time) {
  return row.onConflict((conflict) =>
    conflict
      .column('name')
      .doUpdateSet((eb) => ({
        owner: eb.ref('excluded.owner'),
        expires_at: eb.ref('excluded.expires_at'),
        token: eb
          .case()
          .when('leases.owner', '=', eb.ref('excluded.owner'))
          .then(eb.ref('leases.token'))
          .else(eb.ref('excluded.token'))
          .end(),
      }))
      .where((eb) => eb.or([eb('leases.owner', '=', eb.ref('excluded.owner')), isExpired(eb, now)])),
  );
}

const prolong = (nowOf: NowOf) =>
  statement({ name: 'text', token: 'bigint', ttl_ms: 'bigint', now: 'bigint' }, (db, values) =>
    db
      .withTables<LeaseTables>()
      .updateTable('leases')
      .set({ expires_at: endOf(values, nowOf) })
      .where('name', '=', values.name)
      .where('token', '=', values.token),
  );

/** Deletes the row: ended sessions and runs have none. */
const giveBack = deleteRow(leasesTable, ['name', 'token']);

const setOwner = updateRow(leasesTable, ['name', 'token'], ['owner', 'expires_at']);

/**
 * Leases in the read store: all processes with this store share them. The time is the store's own if it has one, so the clocks of
 * machines may differ; else each process has its clock.
 */
export class StoredLeases implements Leases {
  /** The changes of a taking; each is a condition. */
  readonly #take: (taking: Parameters<ReturnType<typeof take>>[0]) => readonly Change[];
  readonly #prolong: ReturnType<typeof prolong>;

  private constructor(
    private readonly store: ReadStore,
    private readonly clock: Clock,
  ) {
    const { now } = store;
    const nowOf = now ? () => now : (values: { now: number }) => values.now;
    const [alone, after] = [countUpAndTake(nowOf), take(nowOf)];
    this.#take = (taking) => (now ? [alone(taking)] : [countUp({}), after(taking)]);
    this.#prolong = prolong(nowOf);
  }

  /** Makes missing tables. @throws StoreUnavailable */
  static async open(store: ReadStore, clock: Clock): Promise<StoredLeases> {
    const counter = startCounting({ name: COUNTER, last: 0 });
    await store.write([...createTables([leasesTable, leaseTokensTable]), counter]);
    return new StoredLeases(store, clock);
  }

  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    const taking = this.#take({ name, owner, ttlMs, now: this.#now });
    if (!(await this.store.write(taking.map(asCondition)))) return undefined;
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
    // The owner of no process, so that the next taking gets a new token.
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

  /** Ignored by a store with a time of its own. */
  get #now(): number {
    return this.store.now ? 0 : this.clock.now().getTime();
  }
}

/** The identity of this read store as a store of leases; one row. */
export const leaseStoreTable = table('lease_store', { name: 'text', id: 'text' }, ['name']);

const NAME = 'leases';
const nameOnce = insertRowOnce(leaseStoreTable);

/**
 * The identity of this read store as a store of leases. Of several concurrent processes one makes it. It belongs to the data: an
 * emptied or lost store gets another one, and a copied store has the same one.
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
