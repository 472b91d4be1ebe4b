import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Database, SqliteEventStore } from '#lib/event-store-sqlite';
import { eventCatalogue, verifyAll } from '#lib/engine';
import { EventLog, StreamNames } from '#lib/event-store';
import type { ReplayReport } from '#lib/runs/runs';

/** Damages a copy of the log file in a folder as somebody with the file could, past the triggers, and replays it. */
export async function replayDamaged(dataDir: string, sql: string): Promise<readonly ReplayReport[]> {
  const copy = join(dataDir, `${randomUUID()}.sqlite`);
  const source = new Database(join(dataDir, 'log.sqlite'), { readonly: true });
  source.prepare('VACUUM INTO ?').run(copy);
  source.close();
  damage(copy, sql);
  const store = await SqliteEventStore.open(copy);
  try {
    const reports: ReplayReport[] = [];
    const log = new EventLog(store, eventCatalogue(), new StreamNames());
    for await (const report of verifyAll(log)) reports.push(report);
    return reports;
  } finally {
    await store.close();
  }
}

function damage(file: string, sql: string): void {
  const database = new Database(file);
  const triggers = database
    .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .pluck()
    .all();
  for (const trigger of triggers) database.exec(`DROP TRIGGER "${trigger}"`);
  const { changes } = database.prepare(sql).run();
  database.close();
  if (changes !== 1) throw new Error(`Meant to change one event and changed ${changes}.`);
}
