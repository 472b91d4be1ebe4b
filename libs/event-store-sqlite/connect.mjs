import { Database } from './database.mjs';

/** The time for which a connection waits for another process that holds the file's lock. */
export const BUSY_TIMEOUT_MS = 5000;

/**
 * A connection with the settings of every Redial log.
 *
 * `synchronous=FULL`: a commit returns once it is on the disk. The file is not mapped: after each commit of another connection SQLite would map it
 * again, and every page that is read would fault again. The cache is small because such a commit empties it; a reader of the whole log reads each
 * page once. Plain JavaScript because the append worker uses it, even if nothing has been compiled.
 * @param {string} file
 * @param {{ readonly fileMustExist?: boolean }} [options] without it, an empty file is made if there is none
 * @returns {import('better-sqlite3').Database}
 */
export function connect(file, { fileMustExist = false } = {}) {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist });
  for (const setting of ['synchronous=FULL', 'temp_store=MEMORY', 'cache_size=-8192']) db.pragma(setting);
  return db;
}
