import { statSync } from 'node:fs';

/**
 * Which file was opened at a path. Plain JavaScript because the worker that appends uses it, even if nothing has been compiled.
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
 * A commit to a file that was removed or replaced succeeds, and is lost once the process ends: it throws with the code `OTHER_FILE`.
 * @param {readonly OpenedFile[]} opened
 */
export function checkOpened(opened) {
  for (const { path, dev, ino } of opened) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) continue;
    throw Object.assign(new Error(`${found ? 'another' : 'no'} file is at ${path}`), { code: 'OTHER_FILE' });
  }
}
