import { dirname, resolve } from 'node:path';
import { makeFolder, orUnavailable, unavailable, withLock } from '#lib/event-store-sqlite';
import type { ReadStore } from './read-store.js';
import { connect } from './sqlite-connection.js';
import { SqliteReadStore } from './sqlite-read-store.js';

/**
 * Opens the read store in this SQLite file; makes the file, and the folders above it, where there are none. Any number of
 * processes on one machine may share it.
 * @throws StoreUnavailable when that cannot be done: not writable, locked, no SQLite database.
 */
export async function openSqliteReadStore(file: string): Promise<ReadStore> {
  const path = resolve(file);
  const what = `cannot open the read store ${path}`;
  orUnavailable(what, () => makeFolder(dirname(path)));
  const writer = orUnavailable(what, () => connect(path, { readonly: false }));
  try {
    await withLock(() => writer.pragma('journal_mode=WAL'));
    return new SqliteReadStore(path, writer, connect(path, { readonly: true }));
  } catch (error) {
    writer.close();
    throw unavailable(what, error);
  }
}
