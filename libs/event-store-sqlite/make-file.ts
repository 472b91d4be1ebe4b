import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Modes for the owner alone: the files hold conversations, which other users of the machine must not read. */
const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;

/**
 * Makes an empty file and the folders above it, for their owner alone, if there is none. SQLite gives the files beside it the mode of the file. A
 * file or folder that exists keeps its mode.
 * @throws Error of the file system
 */
export function makeFile(file: string): void {
  makeFolder(dirname(file));
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWN_FILE));
}

/**
 * Makes folders from the top down. Node's own recursive way never ends if a file system reports a folder as missing while it refuses to make it, as
 * below /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, OWN_FOLDER);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process may have made it meanwhile
  }
}
