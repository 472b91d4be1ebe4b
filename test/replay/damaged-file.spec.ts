import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { eventCatalogue } from '#lib/engine';
import { EventLog, StreamNames } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import { type ReplayReport, verifyAll } from '#lib/replay';
import { startEngine, type TestEngine } from '../support/engine.js';
import { scenarios } from './scenarios.js';

const [scenario] = scenarios.filter(({ name }) => name === 'text-fallback');

describe('a damaged copy of a log file', () => {
  let engine: TestEngine;

  beforeEach(async () => {
    engine = await startEngine(scenario?.replies ?? []);
    await scenario?.play(engine.redial);
  });

  afterEach(() => engine.stop());

  /** Damages a copy as somebody with the file could, past the triggers, and replays it. */
  async function replayDamaged(sql: string): Promise<ReplayReport[]> {
    const original = join(engine.dataDir, 'log.sqlite');
    const copy = join(engine.dataDir, 'copy.sqlite');
    const source = new Database(original, { readonly: true });
    source.prepare('VACUUM INTO ?').run(copy);
    source.close();
    const database = new Database(copy);
    const triggers = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      .pluck()
      .all() as string[];
    for (const trigger of triggers) database.exec(`DROP TRIGGER "${trigger}"`);
    expect(database.prepare(sql).run().changes).toBe(1);
    database.close();
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

  it('diverges at the derived event that was changed', async () => {
    const [report] = await replayDamaged(
      "UPDATE events SET data = replace(data, 'not-json', 'not-a-decision') WHERE type = 'FallbackTaken' AND data LIKE '%not-json%'",
    );
    expect(report).toMatchObject({
      identical: false,
      divergences: [
        { type: 'FallbackTaken', pointer: '/data/reason', recorded: 'not-a-decision', replayed: 'not-json' },
      ],
    });
  });

  it('diverges where an event is gone', async () => {
    const [report] = await replayDamaged("DELETE FROM events WHERE type = 'FallbackTaken' AND revision = 3");
    expect(report?.divergences).toMatchObject([{ pointer: '/revision', recorded: 4, replayed: 3 }]);
  });

  it('diverges at an event whose id is wrong', async () => {
    const [report] = await replayDamaged(
      "UPDATE events SET event_id = 'other' WHERE type = 'ProposalSubmitted'",
    );
    expect(report?.divergences).toMatchObject([
      { type: 'ProposalSubmitted', pointer: '/eventId', recorded: 'other' },
    ]);
  });
});
