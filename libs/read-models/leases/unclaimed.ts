import { sql } from 'kysely';
import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce, mergeRow } from '../store/row-changes.js';
import { type SchemaOf, table } from '../store/table.js';

const NAME = 'rows';

/** Whether a store that was made beside a log may be taken for that of the log. */
const claimsTable = table('store_claims_v1', { name: 'text', claimed: 'integer' }, ['name']);

const mark = insertRowOnce(claimsTable);
const claim = mergeRow(claimsTable, { replace: ['claimed'] });

/**
 * Marks a store in a file that has no tables: that was made just now, also if the process that made it died at once. A claim that another
 * process made meanwhile holds.
 * @throws StoreUnavailable
 */
export async function markIfNew(store: ReadStore): Promise<void> {
  const { rows } = await sql`select name from sqlite_master limit 1`.execute(store.db);
  if (rows.length > 0) return;
  await store.write([...createTables([claimsTable]), mark({ name: NAME, claimed: 0 })]);
}

/** @throws StoreUnavailable */
export async function isUnclaimed(store: ReadStore): Promise<boolean> {
  await store.write(createTables([claimsTable]));
  const rows = store.db.withTables<SchemaOf<typeof claimsTable>>().selectFrom('store_claims_v1');
  return (await rows.select('claimed').execute()).some(({ claimed }) => claimed === 0);
}

/** @throws StoreUnavailable */
export async function markClaimed(store: ReadStore): Promise<void> {
  await store.write([...createTables([claimsTable]), claim({ name: NAME, claimed: 1 })]);
}
