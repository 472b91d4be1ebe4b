import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The file system in memory that Linux has. */
const MEMORY = '/dev/shm';
/** Free there, so that the files of specs that run at the same time fit, and the machine keeps memory for the rest. */
const ROOM = 4 * 1024 ** 3;

/**
 * The folder for everything that a spec file, the code under test and the processes that they start make in the folder for temporary
 * files: `TMPDIR` names it until it is removed. A killed process leaves nothing outside of it. `TMPDIR_IN_MEMORY` names another one
 * for files that need no disk, which is the same where there is no room in memory.
 * @returns removes both
 */
export function temporaryRoot() {
  const root = mkdtempSync(join(tmpdir(), 'redial-spec-'));
  const inMemory = hasRoomInMemory() ? mkdtempSync(join(MEMORY, 'redial-spec-')) : root;
  // PostgreSQL runs as another user where the tests are root's.
  for (const folder of [root, inMemory]) chmodSync(folder, 0o755);
  process.env['TMPDIR'] = root;
  process.env['TMPDIR_IN_MEMORY'] = inMemory;
  const remove = () => {
    for (const folder of [root, inMemory]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', remove);
  return () => {
    process.removeListener('exit', remove);
    remove();
  };
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM;
  } catch {
    return false;
  }
}
