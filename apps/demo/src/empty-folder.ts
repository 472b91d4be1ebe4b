import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Database } from '#lib/event-store-sqlite';
import { RedialError } from '#lib/kernel';
import { settingsFor } from '../../cli/src/index.js';

/** A process has a file of the folder open. */
export class FolderInUse extends RedialError {}

/**
 * Removes a folder with the log of an earlier demo.
 * @throws FolderInUse before any file is removed, if a console or a server uses the folder: it would go on with removed files
 */
export async function emptyFolder(dataDir: string): Promise<void> {
  const { logFile, readFile } = settingsFor(dataDir);
  if ([logFile, readFile].some(isOpenElsewhere))
    throw new FolderInUse(
      dataDir,
      'another process has its log open, and the demo begins by removing it',
      'Stop that process (a console or a server), then run the demo again',
    );
  await rm(dataDir, { recursive: true, force: true });
}

/**
 * Only the last connection can leave the write-ahead log. A file that no process has open is a whole log without its `-wal` file afterwards.
 */
function isOpenElsewhere(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = new Database(file, { timeout: 0 });
  try {
    return db.pragma('journal_mode=DELETE', { simple: true }) !== 'delete';
  } catch (error) {
    return (error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true;
  } finally {
    db.close();
  }
}
