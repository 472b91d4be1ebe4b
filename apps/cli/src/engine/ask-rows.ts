import type { EventLog } from '#lib/event-store';
import type { ProjectionName, Rows } from '#lib/projections';
import { settingsFor } from './settings-for.js';
import { withReadModels } from './with-read-models.js';

/** Milliseconds the rows are given to come up to the log. */
export const CATCH_UP_MS = 60_000;

/** Answers a question from rows that have come up to the log. Nothing of the engine runs. @throws NoLog | ProjectionBehind */
export function askRows<Name extends ProjectionName, Answer>(
  dataDir: string | undefined,
  projections: readonly Name[],
  question: (db: Rows<Name>, log: EventLog) => Promise<Answer>,
): Promise<Answer> {
  return withReadModels(settingsFor(dataDir), async (models) => {
    await models.projections.caughtUpWithHead(CATCH_UP_MS, projections);
    return question(models.db, models.log);
  });
}
