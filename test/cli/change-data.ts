import { Database } from '#lib/event-store-sqlite';

/** Changes recorded events behind the log's back. */
export function changeData(
  logFile: string,
  type: string,
  change: (data: string) => string,
  become = type,
): void {
  const db = new Database(logFile);
  const trigger = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'events_never_change'");
  const sql = trigger.pluck().get() ?? '';
  db.exec('DROP TRIGGER events_never_change');
  const rows = db
    .prepare<[string], { position: number; data: string }>('SELECT position, data FROM events WHERE type = ?')
    .all(type);
  const update = db.prepare('UPDATE events SET data = ?, type = ? WHERE position = ?');
  for (const { position, data } of rows) update.run(change(data), become, position);
  db.exec(sql);
  db.close();
}
