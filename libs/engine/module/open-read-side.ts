import { recordedCalls } from '#lib/call-rules';
import { datasets, evaluationsModel, experimentsModel, runRequests } from '#lib/histories/core';
import type { EventLog } from '#lib/event-store';
import { gatesModel } from '#lib/decisions/gates/core';
import { agentsModel, conversationsModel } from '#lib/flows/core';
import { systemClock } from '#lib/kernel';
import { systemTime } from '#lib/workflow';
import {
  type LoopModels,
  markIfNew,
  models,
  openMemoryReadStore,
  openPostgresReadStore,
  openSqliteReadStore,
  type ProjectionFailure,
  ProjectionRunner,
  type ReadStore,
  StoredLeases,
} from '#lib/read-models';
import { metersModel } from '#lib/decisions/metrics/core';
import { peopleModel } from '#lib/people/core';
import { reactionsModel } from '#lib/reactions/core';
import { subjectsModel } from '#lib/subjects/core';
import { tasksModel } from '#lib/tasks/core';
import { runsModel } from '#lib/runs/runs/core';
import { standsStillLine, stoppedLine, tracesLoop } from '#lib/telemetry';
import { toolsModel } from '#lib/runs/tools/core';
import type { EngineSettings } from '../settings/engine-settings.js';
import { loopsOfFolds } from './user-folds.js';

/** Short, because rows are not updated for this long after the process that fills them has died. */
const PROJECTION_LEASE_MS = 5_000;

/**
 * Opens the read store that the settings name: in memory, PostgreSQL, or the file. A new store is marked as new until the log is claimed.
 * @throws StoreUnavailable
 */
export async function openReadStore({
  inMemory,
  databaseUrl,
  databaseSchema,
  readFile,
}: EngineSettings): Promise<ReadStore> {
  if (inMemory) return openMemoryReadStore();
  const store =
    databaseUrl === undefined
      ? await openSqliteReadStore(readFile)
      : await openPostgresReadStore(databaseUrl, databaseSchema);
  await markIfNew(store);
  return store;
}

/** The read models that one loop folds. */
export const folded = {
  name: 'rows',
  models: [
    ...models,
    runsModel(recordedCalls, runRequests),
    agentsModel,
    conversationsModel,
    evaluationsModel,
    experimentsModel,
    gatesModel,
    metersModel,
    peopleModel,
    reactionsModel,
    subjectsModel,
    tasksModel,
    toolsModel,
  ],
  datasets,
} as const satisfies LoopModels;

/**
 * The runner that fills the read models. On PostgreSQL each loop is run by one of the processes that share it; on SQLite every
 * process may run all of them (docs/decisions/006).
 * @throws StoreUnavailable
 */
export async function projectionRunner(
  log: EventLog,
  store: ReadStore,
  { databaseUrl, runner: { owner }, options }: EngineSettings,
  notify: (notice: string) => void = () => undefined,
): Promise<ProjectionRunner> {
  const own = [folded, ...(options.traces ? [tracesLoop] : [])];
  const loops: readonly LoopModels[] = [...own, ...loopsOfFolds(options.folds ?? [], [folded, tracesLoop])];
  const onStopped = (name: string, failure: ProjectionFailure) => notify(stoppedLine(name, failure));
  const onStandsStill = (failure: ProjectionFailure) => notify(standsStillLine(failure));
  const leases = databaseUrl === undefined ? undefined : await StoredLeases.open(store, systemClock);
  const holder = leases && { leases, owner, ttlMs: PROJECTION_LEASE_MS, time: systemTime };
  const onViewsFailed = (why: string) =>
    notify(`The views for analysts are not made: ${why} It is tried again.`);
  return new ProjectionRunner(log, store, loops, { holder, onStopped, onStandsStill, onViewsFailed });
}
