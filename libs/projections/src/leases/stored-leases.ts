import type { Clock } from '#lib/kernel';
import type { Leases } from '#lib/workflow';
import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { asCondition, statement } from '../store/statement.js';
import { leasesTable } from './leases.table.js';

/** `token` counts the takings: a renewal by the owner keeps it, everybody else gets a higher one. */
const take = statement<{ name: string; owner: string; now: number; expiresAt: number }>((db, given) =>
  db
    .insertInto('leases')
    .values({ name: given.name, owner: given.owner, expires_at: given.expiresAt, token: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          owner: given.owner,
          expires_at: given.expiresAt,
          token: eb
            .case()
            .when('leases.owner', '=', given.owner)
            .then(eb.ref('leases.token'))
            .else(eb('leases.token', '+', 1))
            .end(),
        }))
        .where((eb) =>
          eb.or([eb('leases.owner', '=', given.owner), eb('leases.expires_at', '<=', given.now)]),
        ),
    ),
);

/** The row stays, expired: its token goes on counting. */
const giveBack = statement<{ name: string; owner: string }>((db, given) =>
  db
    .updateTable('leases')
    .set({ owner: '', expires_at: 0 })
    .where('name', '=', given.name)
    .where('owner', '=', given.owner),
);

/** Leases in the read store: whoever shares it shares them. Time is the clock of each process. */
export class StoredLeases implements Leases {
  private constructor(
    private readonly store: ReadStore,
    private readonly clock: Clock,
  ) {}

  /** Makes the table where there is none. @throws StoreUnavailable */
  static async open(store: ReadStore, clock: Clock): Promise<StoredLeases> {
    await store.write(createTables([leasesTable]));
    return new StoredLeases(store, clock);
  }

  acquire(name: string, owner: string, ttlMs: number): Promise<boolean> {
    const now = this.clock.now().getTime();
    return this.store.write([asCondition(take({ name, owner, now, expiresAt: now + ttlMs }))]);
  }

  async release(name: string, owner: string): Promise<void> {
    await this.store.write([giveBack({ name, owner })]);
  }
}
