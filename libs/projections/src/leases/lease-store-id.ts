import type { IdSource } from '#lib/kernel';
import { createTables } from '../store/create-tables.js';
import { insertRowOnce } from '../store/row-changes.js';
import type { ReadStore } from '../store/read-store.js';
import { table } from '../store/table.js';

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
    .selectFrom('lease_store')
    .select('id')
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow();
  return id;
}
