import type { EngineSettings } from '#lib/engine';
import type { EventLog } from '#lib/event-store';
import { openSqliteReadStore, ProjectionRunner, projections, type ReadStore } from '#lib/projections';
import { withLog } from './with-log.js';

export interface ReadModels {
  readonly log: EventLog;
  readonly db: ReadStore['db'];
  readonly projections: ProjectionRunner;
}

/**
 * Opens log and read models and brings the rows up to the log while the work runs, alone or beside a server. Events are only
 * read.
 */
export function withReadModels<T>(
  settings: EngineSettings,
  work: (models: ReadModels) => Promise<T>,
): Promise<T> {
  return withLog(settings, async (log) => {
    const store = await openSqliteReadStore(settings.readFile);
    const runner = new ProjectionRunner(log, store, projections);
    try {
      await runner.start();
      return await work({ log, db: store.db, projections: runner });
    } finally {
      await runner.stop();
      await store.close();
    }
  });
}
