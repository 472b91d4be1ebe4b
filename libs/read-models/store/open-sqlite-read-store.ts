import { resolve } from 'node:path';
import {
  makeFile,
  openedFile,
  orUnavailable,
  unavailable,
  withLock,
  Database,
} from '#lib/event-store-sqlite';
import type { ReadStore } from './read-store.js';
import { SqliteReadStore } from './sqlite-read-store.js';
import type { Database as Connection } from 'better-sqlite3';

/** Long enough for what other processes do with the file when they open or close it. */
const BUSY_TIMEOUT_MS = 20;

/**
 * A connection to a read store's file. `synchronous=NORMAL`: after a power cut the last commits may be gone, whole, and the
 * checkpoints with them, so the projections fill them in again.
 * The file is not mapped: after each commit of another connection SQLite maps it anew, and the first read then takes six times as long.
 */
function connect(
  file: string,
  { readonly, more = [] }: { readonly: boolean; more?: readonly string[] },
): Connection {
  const db = new Database(file, { readonly, timeout: BUSY_TIMEOUT_MS });
  for (const setting of [
    'synchronous=NORMAL',
    'temp_store=MEMORY',
    'cache_size=-65536',
    // A page that many batches change is written into the file once for all of them.
    'wal_autocheckpoint=4000',
    ...more,
  ]) {
    db.pragma(setting);
  }
  return db;
}

/** Of a file of keys: a commit is durable, and what is deleted or replaced is overwritten. */
const OF_KEYS = ['synchronous=FULL', 'secure_delete=ON'];

/** The same for keys, which no log gives again. @throws StoreUnavailable */
export function openSqliteKeyStore(file: string): Promise<ReadStore> {
  return open(file, OF_KEYS);
}

/**
 * Opens the read store in this SQLite file; makes the file, and the folders above it, if there are none. Any number of
 * processes on one machine may share it.
 * @throws StoreUnavailable when that cannot be done: not writable, locked, no SQLite database.
 */
export function openSqliteReadStore(file: string): Promise<ReadStore> {
  return open(file);
}

async function open(file: string, more?: readonly string[]): Promise<ReadStore> {
  const path = resolve(file);
  const what = `cannot open the read store ${path}`;
  orUnavailable(what, () => makeFile(path));
  const writer = orUnavailable(what, () => connect(path, { readonly: false, ...(more && { more }) }), true);
  try {
    await withLock(() => writer.pragma('journal_mode=WAL'));
    // From here on it waits with `withLock` alone: the transaction that has the lock may be one of this thread.
    writer.pragma('busy_timeout=0');
    return new SqliteReadStore(openedFile(path), writer, connect(path, { readonly: true }));
  } catch (error) {
    writer.close();
    throw unavailable(what, error, true);
  }
}

/** Opens an empty read store in the memory of this process: it is gone once it is closed. */
export function openMemoryReadStore(): ReadStore {
  const db = new Database(':memory:');
  return new SqliteReadStore(undefined, db, db);
}
