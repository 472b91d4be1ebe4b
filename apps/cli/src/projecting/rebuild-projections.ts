import { ProjectionBehind, type ProjectionStatus } from '#lib/projections';
import type { ReadModels } from '../engine/with-read-models.js';
import { ProjectionStopped } from '../error-classes.js';

/** Milliseconds between two looks whether a projection has stopped. */
const LOOK_MS = 1000;

/**
 * Empties projections and fills them again, and comes back when they are at the head of the log.
 * @returns the status of those that were named
 * @throws UnknownProjection; ProjectionStopped when an event cannot be taken
 */
export async function rebuildProjections(
  { projections }: ReadModels,
  wanted: readonly string[] | 'all',
): Promise<readonly ProjectionStatus[]> {
  const known = await projections.status();
  const names = wanted === 'all' ? known.map(({ name }) => name) : wanted;
  for (const name of names) await projections.rebuild(name);
  for (;;) {
    const isBehind = await projections.caughtUpWithHead(LOOK_MS).then(() => false, behind);
    const statuses = (await projections.status()).filter(({ name }) => names.includes(name));
    const stopped = statuses.find(({ status }) => status === 'stopped');
    if (stopped) throw projectionStopped(stopped);
    if (!isBehind) return statuses;
  }
}

function behind(error: unknown): true {
  if (error instanceof ProjectionBehind) return true;
  throw error;
}

function projectionStopped({ name, error }: ProjectionStatus): ProjectionStopped {
  const place = error?.stream === undefined ? '' : ` at ${error.stream} revision ${error.revision}`;
  const fix =
    'Look at that event with redial replay --all; the projection continues when the event can be applied';
  return new ProjectionStopped(
    `projection ${name} stopped${place}`,
    error?.message ?? 'no reason given',
    fix,
  );
}
