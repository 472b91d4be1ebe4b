import { type EventStore, sequenceOf } from '#lib/event-store';
import type { StoredPlace } from './stored-place.js';

/** The failure that stops a projection. The members of an event are absent if no event is the cause. */
export interface ProjectionFailure {
  readonly message: string;
  readonly eventId?: string;
  readonly type?: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly position?: string;
}

/** The progress of a projection. */
export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** The position of the last folded event; null before the first. */
  readonly position: string | null;
  /** The position of the log's last event; null for an empty log. */
  readonly headPosition: string | null;
  /** The number of missing events, 0 if it has all; null if positions do not tell. Events of blobs count too, so the true number may be lower. */
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

/** Positions count events only in a log without gaps. The place may be past a head that was read before it. */
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
