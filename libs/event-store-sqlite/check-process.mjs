import { Database } from './database.mjs';
import { findDamage } from './find-damage.mjs';

// Reads the whole file in one call of SQLite, which takes seconds for a large one. A thread in that call cannot be ended, and stopping its process
// would wait for it.

// The parent handles a signal to the group: it ends this process when its store is closed.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);

process.send?.(check(/** @type {string} */ (process.argv[2])));
process.disconnect();

/** The findings, or the reason why the file cannot be opened. @param {string} file */
function check(file) {
  try {
    return findDamage(new Database(file, { readonly: true }));
  } catch (error) {
    return String(error);
  }
}
