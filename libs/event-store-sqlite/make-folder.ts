import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, from the top down. Node's own recursive way never ends if a file system says that
 * a folder does not exist while it refuses to make it, as below /proc.
 * @throws Error of the file system
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error; // another process may have made it meanwhile
  }
}
