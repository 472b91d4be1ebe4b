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

/** Enough for other processes to open or close the file. */
const BUSY_TIMEOUT_MS = 20;

/**
 * A connection to a read store's file. `synchronous=NORMAL`: after a power cut the last commits may be gone, whole and with their
 * checkpoints: the projections fill them in again. The file is not mapped: SQLite maps it again after each commit of another
 * connection, and the first read then takes six times as long.
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
    // A page that many batches change is written into the file once.
    'wal_autocheckpoint=4000',
    ...more,
  ]) {
    db.pragma(setting);
  }
  return db;
}

/** For a file of keys: commits are durable, and deleted or replaced content is overwritten. */
const OF_KEYS = ['synchronous=FULL', 'secure_delete=ON'];

/** As `openSqliteReadStore`, for keys, which no log can restore. @throws StoreUnavailable */
export function openSqliteKeyStore(file: string): Promise<ReadStore> {
  return open(file, OF_KEYS);
}

/**
 * Opens the read store in this SQLite file; makes the file and missing folders above it. Any number of processes on one machine
 * may share it.
 * @throws StoreUnavailable if it cannot be opened: not writable, locked, no SQLite database.
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
    // From here on only `withLock` waits: the transaction that holds the lock may be one of this thread.
    writer.pragma('busy_timeout=0');
    return new SqliteReadStore(openedFile(path), writer, connect(path, { readonly: true }));
  } catch (error) {
    writer.close();
    throw unavailable(what, error, true);
  }
}

/** Opens an empty read store in the memory of this process, which ends with its closing. */
export function openMemoryReadStore(): ReadStore {
  const db = new Database(':memory:');
  return new SqliteReadStore(undefined, db, db);
}
