import { Database } from './database.mjs';

/** How long a connection waits for another process that holds the file's lock. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * A connection with the settings of every Redial log. `synchronous=FULL`: a commit returns once the disk has it.
 * Plain JavaScript because the append worker uses it, even when nothing has been compiled.
 * @param {string} file
 * @param {{ readonly fileMustExist?: boolean }} [options] an empty file is made if there is none, unless it must exist
 * @returns {import('better-sqlite3').Database}
 */
export function connect(file, { fileMustExist = false } = {}) {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist });
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
