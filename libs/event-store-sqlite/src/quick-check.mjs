const MOST_FINDINGS = 20;

/**
 * What SQLite's `quick_check` finds; empty for a sound file. Plain JavaScript because the process of the check uses it, even if
 * nothing has been compiled.
 * @param {import('better-sqlite3').Database} db
 * @returns {readonly string[]}
 */
export function quickCheck(db) {
  try {
    const rows = /** @type {{ quick_check: string }[]} */ (db.pragma(`quick_check(${MOST_FINDINGS})`));
    return rows.map(({ quick_check: finding }) => finding).filter((finding) => finding !== 'ok');
  } catch (error) {
    // `quick_check` itself fails on a badly damaged file.
    return [error instanceof Error ? error.message : String(error)];
  }
}
