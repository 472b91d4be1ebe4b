import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce } from '../store/row-changes.js';
import { durable } from '../store/statement.js';
import { type SchemaOf, table } from '../store/table.js';

/**
 * The keys of logs' fingerprints, by the log's id. They are in no event, so no log can restore them. The versioned name makes a
 * process of 0.2 take the table for one of the store.
 */
const logKeysTable = table('log_keys_v1', { log_id: 'text', key: 'text' }, ['log_id']);

type KeyTables = SchemaOf<typeof logKeysTable>;

const nameOnce = durable(insertRowOnce(logKeysTable));

/** The key of a log, and those of other logs in the same store. */
interface LogKeys {
  readonly key: string;
  readonly others: readonly string[];
}

/**
 * The key of this log in a key store. Of several concurrent processes one makes it.
 * @param fresh a new random key
 * @throws StoreUnavailable
 */
export async function logKeys(store: ReadStore, logId: string, fresh: () => string): Promise<LogKeys> {
  await store.write(createTables([logKeysTable]));
  const known = await keysIn(store, logId);
  if (known.key !== undefined) return { ...known, key: known.key };
  await store.write([nameOnce({ logId, key: fresh() })]);
  return (await keysIn(store, logId)) as LogKeys;
}

async function keysIn({ db }: ReadStore, logId: string) {
  const rows = await db.withTables<KeyTables>().selectFrom('log_keys_v1').selectAll().execute();
  const key = rows.find(({ log_id }) => log_id === logId)?.key;
  return { key, others: rows.flatMap((row) => (row.log_id === logId ? [] : [row.key])) };
}
