import { ProjectionBehind, type ProjectionStatus } from '#lib/projections';
import type { ReadModels } from '../engine/with-read-models.js';

/** Milliseconds in which a projection that cannot go on shows why. */
const LOOK_MS = 2000;

/** How far each projection is, after a short time to catch up: only who tries an event knows whether it can be taken. */
export async function projectionStatuses({ projections }: ReadModels): Promise<readonly ProjectionStatus[]> {
  await projections.caughtUpWithHead(LOOK_MS).catch((error: unknown) => {
    if (!(error instanceof ProjectionBehind)) throw error;
  });
  return projections.status();
}
