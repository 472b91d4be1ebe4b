import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { NoLog, StoreUnavailable } from '#lib/event-store';
import { connect } from './connect.mjs';
import { makeFile } from './make-file.js';
import { type OpenedFile, openedFile } from './opened-files.mjs';
import { FORMAT_VERSION, SCHEMA } from './schema.mjs';
import { orUnavailable, unavailable } from './unavailable.js';
import { withLock } from './with-lock.js';

const NAME_ANOTHER =
  'Name the file of a log, or its folder with --data-dir; else restore a copy together with its -wal file';

interface LogFile {
  readonly logId: string;
  readonly opened: readonly OpenedFile[];
  readonly walFile: string;
  /** The connection for reads (`query_only`). Closing it merges the -wal file, which a read-only connection would leave. */
  readonly db: Database;
}

/**
 * Creates the log in an empty file, unless it must exist, and checks that any other file is a log of Redial. A file that is refused is not changed.
 * @throws NoLog @throws StoreUnavailable
 */
export async function openLogFile(file: string, mustExist: boolean): Promise<LogFile> {
  const what = `cannot open the event log ${file}`;
  if (!mustExist) orUnavailable(what, () => makeFile(resolve(file)));
  const db = orUnavailable(what, () => connect(file, { fileMustExist: mustExist }));
  try {
    const hasLog = orUnavailable(what, () => holdsLog(db, what));
    if (mustExist && !hasLog)
      throw new NoLog(`there is no log in ${file}`, 'the file is empty', NAME_ANOTHER);
    // Twice the usual, and set only in a new file. A page holds several events, so a shared flush writes fewer pages.
    orUnavailable(what, () => db.pragma('page_size=8192'));
    await useWriteAheadLog(db, what);
    const logId = orUnavailable(what, () => db.transaction(() => logIdOf(db, what)).immediate());
    orUnavailable(what, () => db.pragma('query_only=ON'));
    // SQLite tells which file it uses: if the path is a symbolic link, the -wal file is not beside the link.
    const walFile = `${fileOf(db)}-wal`;
    const opened = orUnavailable(what, () => [file, walFile].map(openedFile));
    return { logId, opened, walFile, db };
  } catch (error) {
    db.close();
    throw error;
  }
}

function fileOf(db: Database): string {
  return (db.pragma('database_list') as { readonly file: string }[])[0]?.file ?? db.name;
}

async function useWriteAheadLog(db: Database, what: string): Promise<void> {
  try {
    await withLock(() => db.pragma('journal_mode=WAL'));
  } catch (error) {
    throw unavailable(what, error);
  }
}

/** @throws StoreUnavailable for another kind of file */
function holdsLog(db: Database, what: string): boolean {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (tables.length === 0) return false;
  if (tables.includes('meta') && tables.includes('events')) return true;
  throw new StoreUnavailable(what, 'it is a database of another application', 'Name another file');
}

function logIdOf(db: Database, what: string): string {
  if (!holdsLog(db, what)) createLog(db);
  const meta = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck();
  const format = Number(meta.get('format_version'));
  const logId = meta.get('log_id');
  if (format === FORMAT_VERSION && logId !== undefined) return logId;
  throw new StoreUnavailable(
    what,
    `its format is ${format}, and this version of Redial knows ${FORMAT_VERSION}`,
    format < FORMAT_VERSION ? 'Use the version of Redial that wrote it' : 'Use a newer version of Redial',
  );
}

function createLog(db: Database): void {
  db.exec(SCHEMA);
  const write = db.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
  write.run('log_id', randomUUID());
  write.run('format_version', String(FORMAT_VERSION));
}
