import { statSync } from 'node:fs';

/**
 * The identity of the file that was opened at a path. Plain JavaScript because the worker that appends uses it, even if nothing has been compiled.
 * @typedef {{ readonly path: string, readonly dev: number, readonly ino: number }} OpenedFile
 */

/**
 * @param {string} path
 * @returns {OpenedFile}
 */
export function openedFile(path) {
  const { dev, ino } = statSync(path);
  return { path, dev, ino };
}

/**
 * Throws with the code `OTHER_FILE` if a file was removed or replaced: a commit to it would succeed, and be lost once the process ends.
 * @param {readonly OpenedFile[]} opened
 */
export function checkOpened(opened) {
  for (const { path, dev, ino } of opened) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) continue;
    throw Object.assign(new Error(`${found ? 'another' : 'no'} file is at ${path}`), { code: 'OTHER_FILE' });
  }
}
