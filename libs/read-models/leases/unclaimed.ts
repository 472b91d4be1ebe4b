import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { deleteRow, insertRowOnce } from '../store/row-changes.js';
import { type SchemaOf, table } from '../store/table.js';

const NAME = 'rows';

/** Has a row while a store that was made beside a log is not said to be that of the log. */
const unclaimedTable = table('unclaimed_v1', { name: 'text' }, ['name']);

const mark = insertRowOnce(unclaimedTable);
const unmark = deleteRow(unclaimedTable, ['name']);

/** For a store that was made just now. @throws StoreUnavailable */
export async function markUnclaimed(store: ReadStore): Promise<void> {
  await store.write([...createTables([unclaimedTable]), mark({ name: NAME })]);
}

/** @throws StoreUnavailable */
export async function isUnclaimed(store: ReadStore): Promise<boolean> {
  await store.write(createTables([unclaimedTable]));
  const rows = store.db.withTables<SchemaOf<typeof unclaimedTable>>().selectFrom('unclaimed_v1');
  return (await rows.select('name').limit(1).execute()).length > 0;
}

/** @throws StoreUnavailable */
export async function markClaimed(store: ReadStore): Promise<void> {
  await store.write([...createTables([unclaimedTable]), unmark({ name: NAME })]);
}
