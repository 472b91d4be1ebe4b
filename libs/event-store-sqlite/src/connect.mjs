import { Database } from './database.mjs';

/** How long a connection waits for another process that holds the file's lock. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * A connection with the settings of every Redial log. `synchronous=FULL`: a commit returns once the disk has it.
 * Plain JavaScript because the append worker uses it, also where nothing has been compiled.
 * @param {string} file
 * @returns {import('better-sqlite3').Database}
 */
export function connect(file) {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  for (const setting of [
    'synchronous=FULL',
    'temp_store=MEMORY',
    'cache_size=-65536',
    'mmap_size=268435456',
  ]) {
    db.pragma(setting);
  }
  return db;
}
