import { type EventStore, sequenceOf } from '#lib/event-store';
import type { StoredPlace } from './stored-place.js';

/** Why a projection is stopped. Without the members of an event if no event is the cause. */
export interface ProjectionFailure {
  readonly message: string;
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly position?: string;
}

/** How far a projection has come. */
export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** The position of the last event it has taken; null before the first. */
  readonly position: string | null;
  /** The position of the log's last event; null while it is empty. */
  readonly headPosition: string | null;
  /**
   * Events it is behind, 0 when it has them all; null if positions do not tell. Events of blobs that lie between count too,
   * so that it may be fewer.
   */
  readonly lag: number | null;
  readonly status: 'live' | 'catching-up' | 'rebuilding' | 'stopped';
  readonly error?: ProjectionFailure;
}

type LogPlaces = Pick<EventStore, 'logId' | 'positionsAreGapFree'>;

export function projectionStatus(
  { name, version, position }: StoredPlace,
  log: LogPlaces,
  head: string | undefined,
  error: ProjectionFailure | undefined,
): ProjectionStatus {
  return {
    name,
    version,
    position: position === '' ? null : position,
    headPosition: head ?? null,
    lag: lagBetween(log, position, head),
    status: error ? 'stopped' : position >= (head ?? '') ? 'live' : 'catching-up',
    ...(error && { error }),
  };
}

/** Places count events if a log has no gaps; the checkpoint may have passed a head that was read before it. */
function lagBetween(
  { logId, positionsAreGapFree }: LogPlaces,
  position: string,
  head: string | undefined,
): number | null {
  if (head === undefined || position === head) return 0;
  if (position !== '' && !position.startsWith(`${logId}.`)) return null;
  if (!positionsAreGapFree) return null;
  const done = position === '' ? 0n : sequenceOf(logId, position);
  return Math.max(0, Number(sequenceOf(logId, head) - done));
}
