import type { Database as Connection } from 'better-sqlite3';
import { Database } from '#lib/event-store-sqlite';

/** Long enough for what other processes usually do with the lock, short enough for a thread that has other work. */
const BUSY_TIMEOUT_MS = 20;

/**
 * A connection to a read store's file. `synchronous=NORMAL`: after a power cut the last commits may be gone, whole, and the
 * checkpoints with them, so the projections fill them in again.
 */
export function connect(file: string, { readonly }: { readonly: boolean }): Connection {
  const db = new Database(file, { readonly, timeout: BUSY_TIMEOUT_MS });
  for (const setting of [
    'synchronous=NORMAL',
    'temp_store=MEMORY',
    'cache_size=-65536',
    'mmap_size=268435456',
    // A page that many batches change is written into the file once for all of them.
    'wal_autocheckpoint=4000',
  ]) {
    db.pragma(setting);
  }
  return db;
}
