import { StoreUnavailable } from '#lib/event-store';
import { RedialError } from '#lib/kernel';

interface Failure {
  readonly code?: string;
  readonly message?: string;
}

/** `rebuilt`: the fix for a file that is filled again from the log. */
type WhyAndFix = readonly [codes: RegExp, why: string, fix: string, rebuilt?: string];

const KNOWN: readonly WhyAndFix[] = [
  [
    /^(MODULE_NOT_FOUND|ERR_DLOPEN_FAILED)/,
    'the native module of better-sqlite3 is not installed for this Node and this machine',
    'Run `npm rebuild better-sqlite3 better-sqlite3-node20` with install scripts allowed, with the Node that runs this; it downloads a prebuilt module, or compiles one (Python and a C++ compiler)',
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    'another process holds its lock',
    'End the process that holds the lock, then try again',
  ],
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)/, 'the disk is full', 'Free space on its disk, then try again'],
  [
    /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR|ENOENT)/,
    'it cannot be opened or written',
    'Check that the folder exists, that nothing else has the name, and that this user may write there',
  ],
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    'it is not a whole SQLite database',
    'Check that this is the right file; if it is, restore a copy together with its -wal file',
    'Check that this is the right file; if it is, stop the processes that use it, delete it with its -wal and -shm files, and start: it is filled again from the log',
  ],
  [
    /^ERR_WORKER_INIT_FAILED/,
    'the thread that appends cannot be started',
    'Raise the limits of threads and open files of this process, or end other processes, then try again',
  ],
  [
    /^OTHER_FILE/,
    'the file was removed or replaced since it was opened',
    'Stop the processes that use it, without killing them: they then write their events of a removed -wal file into the log. Then start again',
    'Stop the processes that use it, then start: it is filled again from the log',
  ],
  [/^OTHER_LOG/, 'the file was replaced by another log since it was opened', 'Start again'],
  [/^SQLITE_IOERR/, 'the disk reported an error', 'Check the disk, its free space and the system log'],
];

/**
 * Turns all failures of SQLite and of the file system into StoreUnavailable.
 * @param what names the file
 * @param isRebuilt whether the file is filled again from the log
 */
export function unavailable(what: string, cause: unknown, isRebuilt = false): StoreUnavailable {
  const { code = '', message = '' } = cause as Failure;
  // Node lists the modules that required a missing one on further lines.
  const [said = ''] = message.split('\n');
  const [, why, fix, rebuilt] = KNOWN.find(([codes]) => codes.test(code)) ?? [
    undefined,
    'the database failed',
    'Check the file and its disk, then try again',
  ];
  // Messages of Node begin with the code, those of SQLite do not.
  const shown = said.startsWith(code) ? said : `${code}: ${said}`;
  return new StoreUnavailable(what, `${why} (${shown})`, (isRebuilt && rebuilt) || fix, { cause });
}

/** Runs work on the database, and turns its failures into StoreUnavailable. */
export function orUnavailable<T>(what: string, run: () => T, isRebuilt = false): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RedialError) throw error;
    throw unavailable(what, error, isRebuilt);
  }
}
