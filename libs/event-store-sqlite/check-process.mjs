import { Database } from './database.mjs';
import { findDamage } from './find-damage.mjs';

// Reads the whole file in one call of SQLite, which takes seconds for a large one. A thread in that call cannot be ended, and the
// stop of its process would wait for it.

// A signal to the group is for the parent, which ends this process when its store is closed.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

process.send?.(check(/** @type {string} */ (process.argv[2])));
process.disconnect();

/**
 * The findings, or a text that says why the file cannot be opened.
 * @param {string} file
 */
function check(file) {
  try {
    return findDamage(new Database(file, { readonly: true }));
  } catch (error) {
    return String(error);
  }
}
