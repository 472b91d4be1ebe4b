import { createTables } from '../store/create-tables.js';
import type { ReadStore } from '../store/read-store.js';
import { insertRowOnce } from '../store/row-changes.js';
import { table } from '../store/table.js';

/**
 * Keys of logs, by the log's id: the key of its fingerprints. They are in no event, and no log gives them again. In PostgreSQL the name has a
 * version, so that a process of 0.2 takes the table for one of the store.
 */
export const logKeysTable = table('log_keys_v1', { log_id: 'text', key: 'text' }, ['log_id']);

const nameOnce = insertRowOnce(logKeysTable);

/**
 * The key of this log in a key store. The first process makes it; of several at once, one does.
 * @param fresh a new random key
 * @throws StoreUnavailable
 */
export async function logKey(store: ReadStore, logId: string, fresh: () => string): Promise<string> {
  const known = async () =>
    (await store.db.selectFrom('log_keys_v1').select('key').where('log_id', '=', logId).executeTakeFirst())
      ?.key;
  await store.write(createTables([logKeysTable]));
  const found = await known();
  if (found !== undefined) return found;
  await store.write([nameOnce({ logId, key: fresh() })]);
  return (await known()) as string;
}
