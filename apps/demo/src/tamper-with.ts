import { Database } from '#lib/event-store-sqlite';

interface Row {
  readonly position: number;
  readonly data: string;
}

const LAST_DECISION =
  "SELECT position, data FROM events WHERE type = 'TransitionExecuted' AND data LIKE '%\"amount\":25%' ORDER BY position DESC";

/**
 * Rewrites the last decision to pay 25 in a log file as if 2500 had been decided. The log's triggers forbid that, so they
 * have to go first.
 * @returns the change, in words
 */
export function tamperWith(file: string): string {
  const db = new Database(file);
  try {
    const triggers = db
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .pluck()
      .all();
    for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
    const row = db.prepare<[], Row>(LAST_DECISION).get();
    if (!row) throw new Error('The demo left no decision to pay 25.');
    const data = row.data.replace('"amount":25', '"amount":2500');
    db.prepare('UPDATE events SET data = ? WHERE position = ?').run(data, row.position);
    return `UPDATE events SET data = … WHERE position = ${row.position};  -- "amount":25 becomes "amount":2500`;
  } finally {
    db.close();
  }
}
