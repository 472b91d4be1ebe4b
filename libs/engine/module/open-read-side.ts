import { arbitrationRequests } from '#lib/decisions/arbitration';
import { recordedCalls } from '#lib/call-rules';
import { evaluationsProjection } from '#lib/histories/core';
import type { EventLog } from '#lib/event-store';
import { gatesProjection } from '#lib/decisions/gates/core';
import { agentsProjection, conversationsProjection, turnRequests } from '#lib/flows/core';
import { systemClock } from '#lib/kernel';
import { solicitationRequests } from '#lib/decisions/solicitation';
import {
  openPostgresReadStore,
  openSqliteReadStore,
  type ProjectionFailure,
  type ProjectionName,
  ProjectionRunner,
  projections,
  type ReadStore,
  StoredLeases,
} from '#lib/read-models';
import { metersProjection } from '#lib/decisions/metrics/core';
import { peopleProjection } from '#lib/people/core';
import { runsProjection } from '#lib/runs/runs/core';
import { stoppedLine, tracesProjection } from '#lib/telemetry';
import { toolsProjection } from '#lib/runs/tools/core';
import type { EngineSettings } from '../settings/engine-settings.js';

/** Short, because rows are not updated for this long after the process that fills them dies. */
const PROJECTION_LEASE_MS = 5_000;

/** Opens the read store that the settings name: PostgreSQL, or the file. @throws StoreUnavailable */
export function openReadStore({ databaseUrl, databaseSchema, readFile }: EngineSettings): Promise<ReadStore> {
  return databaseUrl === undefined
    ? openSqliteReadStore(readFile)
    : openPostgresReadStore(databaseUrl, databaseSchema);
}

/** The projections of capabilities. */
type CapabilityProjection =
  'agents' | 'conversations' | 'evaluations' | 'gates' | 'meters' | 'people' | 'runs' | 'tools' | 'traces';

/**
 * The runner that fills the read models. On PostgreSQL each projection is run by one of the processes that share it; on SQLite every
 * process may run all of them (docs/decisions/006).
 * @throws StoreUnavailable
 */
export async function projectionRunner(
  log: EventLog,
  store: ReadStore,
  { databaseUrl, runner: { owner }, options }: EngineSettings,
  notify: (notice: string) => void = () => undefined,
): Promise<ProjectionRunner<ProjectionName | CapabilityProjection>> {
  const all = [
    ...projections,
    metersProjection,
    ...(options.traces ? [tracesProjection] : []),
    peopleProjection,
    toolsProjection,
    gatesProjection,
    evaluationsProjection,
    agentsProjection,
    conversationsProjection,
    runsProjection(recordedCalls, [solicitationRequests, arbitrationRequests, turnRequests]),
  ];
  const onStopped = (name: string, failure: ProjectionFailure) => notify(stoppedLine(name, failure));
  if (databaseUrl === undefined) return new ProjectionRunner(log, store, all, undefined, onStopped);
  const leases = await StoredLeases.open(store, systemClock);
  return new ProjectionRunner(log, store, all, { leases, owner, ttlMs: PROJECTION_LEASE_MS }, onStopped);
}
