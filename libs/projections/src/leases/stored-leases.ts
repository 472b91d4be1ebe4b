import type { Clock } from '#lib/kernel';
import type { Leases } from '#lib/legacy-workflow';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { createTables } from '../store/create-tables.js';
import type { ReadSchema } from '../store/read-schema.js';
import type { ReadStore } from '../store/read-store.js';
import { asCondition, type Change, statement } from '../store/statement.js';
import { leasesTable } from './leases.table.js';

/** `token` counts the takings since the row is there: a renewal by the owner keeps it, whoever takes it over gets a higher one. */
function takeAt(
  db: Kysely<ReadSchema>,
  { name, owner }: { readonly name: string; readonly owner: string },
  now: number | RawBuilder<number>,
  expiresAt: number | RawBuilder<number>,
): Compilable {
  return db
    .insertInto('leases')
    .values({ name, owner, expires_at: expiresAt, token: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          owner,
          expires_at: expiresAt,
          token: eb
            .case()
            .when('leases.owner', '=', owner)
            .then(eb.ref('leases.token'))
            .else(eb('leases.token', '+', 1))
            .end(),
        }))
        .where((eb) => eb.or([eb('leases.owner', '=', owner), eb('leases.expires_at', '<=', now)])),
    );
}

type Wanted = { name: string; owner: string; ttlMs: number };

const take = statement<Wanted & { now: number; expiresAt: number }>((db, given) =>
  takeAt(db, given, given.now, given.expiresAt),
);

/** By the clock of the store. */
const takeThere = (now: RawBuilder<number>) =>
  statement<Wanted>((db, given) => takeAt(db, given, now, sql<number>`${now} + ${given.ttlMs}`));

/** The row goes: there is one for each thing that is running, not for each that ever ran. */
const giveBack = statement<{ name: string; owner: string }>((db, given) =>
  db.deleteFrom('leases').where('name', '=', given.name).where('owner', '=', given.owner),
);

/**
 * Leases in the read store: whoever shares it shares them. Time is the store's own where it has one, so that clocks of
 * machines may differ; else the clock of each process.
 */
export class StoredLeases implements Leases {
  private constructor(
    private readonly store: ReadStore,
    private readonly take: (wanted: Wanted) => Change,
  ) {}

  /** Makes the table where there is none. @throws StoreUnavailable */
  static async open(store: ReadStore, clock: Clock): Promise<StoredLeases> {
    await store.write(createTables([leasesTable]));
    return new StoredLeases(store, store.now ? takeThere(store.now) : takeBy(clock));
  }

  acquire(name: string, owner: string, ttlMs: number): Promise<boolean> {
    return this.store.write([asCondition(this.take({ name, owner, ttlMs }))]);
  }

  async release(name: string, owner: string): Promise<void> {
    await this.store.write([giveBack({ name, owner })]);
  }
}

function takeBy(clock: Clock): (wanted: Wanted) => Change {
  return (wanted) => {
    const now = clock.now().getTime();
    return take({ ...wanted, now, expiresAt: now + wanted.ttlMs });
  };
}
