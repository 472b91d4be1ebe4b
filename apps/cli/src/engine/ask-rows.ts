import { RejectionError, unknownMachine } from '#lib/engine';
import { getMachine, listSessions, type ProjectionName, type Rows } from '#lib/projections';
import { isRejection } from '#lib/kernel';
import { settingsFor } from './settings-for.js';
import { withReadModels } from './with-read-models.js';

/** Milliseconds the rows are given to come up to the log. */
export const CATCH_UP_MS = 60_000;

/** Answers a question from rows that have come up to the log. Nothing of the engine runs. @throws NoLog | ProjectionBehind */
export function askRows<Name extends ProjectionName, Answer>(
  dataDir: string | undefined,
  projections: readonly Name[],
  question: (db: Rows<Name>) => Promise<Answer>,
): Promise<Answer> {
  return withReadModels(settingsFor(dataDir), async (models) => {
    await models.projections.caughtUpWithHead(CATCH_UP_MS, projections);
    return question(models.db);
  });
}

/**
 * As `askRows`, about a machine that somebody defined or ran.
 * @throws RejectionError where nobody did: a wrong name would look like a machine that never decided anything
 */
export function askAboutMachine<Name extends ProjectionName, Answer>(
  dataDir: string | undefined,
  machineName: string,
  projections: readonly Name[],
  question: (db: Rows<Name>) => Promise<Answer>,
): Promise<Answer> {
  return askRows(dataDir, ['machines', 'sessions', ...projections], async (db) => {
    await assertKnown(db, machineName);
    return question(db);
  });
}

async function assertKnown(db: Rows<'machines' | 'sessions'>, machineName: string): Promise<void> {
  if (await getMachine(db, machineName)) return;
  const ran = await listSessions(db, { machineName }, { limit: 1 });
  if (isRejection(ran) || ran.items.length === 0) throw new RejectionError(unknownMachine(machineName));
}
