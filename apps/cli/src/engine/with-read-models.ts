import { type EngineSettings, openReadStore, projectionRunner } from '#lib/engine/core';
import type { EventLog } from '#lib/event-store';
import type { ProjectionRunner, ReadStore } from '#lib/projections';
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
    const store = await openReadStore(settings);
    try {
      const runner = await projectionRunner(log, store, settings);
      return await running(runner, () => work({ log, db: store.db, projections: runner }));
    } finally {
      await store.close();
    }
  });
}

async function running<T>(runner: ProjectionRunner, work: () => Promise<T>): Promise<T> {
  try {
    await runner.start();
    return await work();
  } finally {
    await runner.stop();
  }
}
