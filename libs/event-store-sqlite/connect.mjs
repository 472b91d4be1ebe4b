import { Database } from './database.mjs';

/** How long a connection waits for another process that holds the file's lock. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * A connection with the settings of every Redial log. `synchronous=FULL`: a commit returns once the disk has it.
 * The file is not mapped: after each commit of another connection SQLite maps it anew, and every page of it that is read faults
 * again. The cache is small for the same reason, it is emptied by such a commit; a reader of the whole log reads each page once.
 * Plain JavaScript because the append worker uses it, even when nothing has been compiled.
 * @param {string} file
 * @param {{ readonly fileMustExist?: boolean }} [options] an empty file is made if there is none, unless it must exist
 * @returns {import('better-sqlite3').Database}
 */
export function connect(file, { fileMustExist = false } = {}) {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist });
  for (const setting of ['synchronous=FULL', 'temp_store=MEMORY', 'cache_size=-8192']) db.pragma(setting);
  return db;
}
