import { sql } from 'kysely';
import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce, mergeRow } from '../store/row-changes.js';
import { ddl } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';

const NAME = 'rows';

/** The claim of a log on a store that was made beside it: 0 until the log takes it. */
const claimsTable = table('store_claims_v1', { name: 'text', claimed: 'integer' }, ['name']);

const OF_KEYS = ['log_keys_v1', 'subject_keys_v1', 'master_keys_v1'];
/** The tables of a newly opened database, and those that remain after a person emptied it. */
const OF_NEW = ['schema_version', 'checkpoints', 'leases', 'lease_store', 'lease_tokens', ...OF_KEYS];
/** Tables that stay when rows are removed. The identity of the leases is removed: the log is another one. */
const KEPT = ['schema_version', 'checkpoints', 'leases', 'lease_tokens', claimsTable.name, ...OF_KEYS];

const mark = insertRowOnce(claimsTable);
const claim = mergeRow(claimsTable, { replace: ['claimed'] });

/**
 * Marks a new or emptied store as unclaimed, also after the process that opened it died. A claim by another process stays.
 * @throws StoreUnavailable
 */
export async function markIfNew(store: ReadStore): Promise<void> {
  const tables = await tablesOf(store);
  if (tables.some((name) => !OF_NEW.includes(name))) return;
  await store.write([...createTables([claimsTable]), mark({ name: NAME, claimed: 0 })]);
}

/** @throws StoreUnavailable */
export async function isUnclaimed(store: ReadStore): Promise<boolean> {
  await store.write(createTables([claimsTable]));
  const rows = store.db.withTables<SchemaOf<typeof claimsTable>>().selectFrom('store_claims_v1');
  return (await rows.select('claimed').execute()).some(({ claimed }) => claimed === 0);
}

/** Removes the rows, which are filled again from the log. No other process may have the store open. @throws StoreUnavailable */
export async function emptyRows(store: ReadStore): Promise<void> {
  const tables = await tablesOf(store);
  const removed = tables.filter((name) => !KEPT.includes(name));
  await store.write([
    ...createTables([claimsTable]),
    claim({ name: NAME, claimed: 0 }),
    ...removed.map((name) => ddl(store.words.dropTable(name))),
  ]);
}

async function tablesOf({ db, words }: ReadStore): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ readonly name: string }>(words.tables).execute(db);
  return rows.map(({ name }) => name);
}

/** @throws StoreUnavailable */
export async function markClaimed(store: ReadStore): Promise<void> {
  await store.write([...createTables([claimsTable]), claim({ name: NAME, claimed: 1 })]);
}
