import type { Divergence } from '#lib/workflow';

/** The result of verifying one stream. */
export interface Verification {
  /** Events that pure code derived again, equal in type and data. */
  readonly derived: number;
  /** Events taken as facts from the record. */
  readonly given: number;
  /** Events of a run after it takes more than an allowance that it was not granted: taken as they are recorded. */
  readonly notRecomputed?: number;
  /** The subject was erased: only the revisions were checked, and no event was derived again. */
  readonly erased?: boolean;
  /** Whether the history has not ended yet. */
  readonly open: boolean;
  /** The first difference, if there is one; later events are not compared. */
  readonly divergence?: Divergence | undefined;
}

/** The result of replaying some histories. */
export interface ReplayTotals {
  readonly identical: boolean;
  readonly streamsChecked: number;
  /** Events that were derived again, and are equal. */
  readonly eventsChecked: number;
  /** Events taken as facts from the record. */
  readonly eventsTaken: number;
  /** Events that were neither derived again nor taken as facts, because deriving them takes too much. Absent if there are none. */
  readonly notRecomputed?: number;
  /** Streams without their content, of which only the structure was checked. Absent if there are none. */
  readonly erased?: number;
  /** The number of histories that have not ended. */
  readonly open: number;
  /** The first divergence of each stream; later events of that stream are not compared. */
  readonly divergences: readonly Divergence[];
}

/** The result of replaying a session with its solicitations and arbitrations. */
export interface ReplayReport extends ReplayTotals {
  readonly sessionId: string;
}

/** @param parts one for each stream */
export function replayTotals(parts: readonly Verification[]): ReplayTotals {
  const notRecomputed = parts.reduce((sum, part) => sum + (part.notRecomputed ?? 0), 0);
  const erased = parts.filter((part) => part.erased).length;
  const divergences = parts.flatMap(({ divergence }) => (divergence ? [divergence] : []));
  return {
    identical: divergences.length === 0,
    streamsChecked: parts.length,
    eventsChecked: parts.reduce((sum, { derived }) => sum + derived, 0),
    eventsTaken: parts.reduce((sum, { given }) => sum + given, 0),
    ...(notRecomputed > 0 && { notRecomputed }),
    ...(erased > 0 && { erased }),
    open: parts.filter(({ open }) => open).length,
    divergences,
  };
}
