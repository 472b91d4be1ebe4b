import type { Divergence } from '#lib/workflow';

/** What walking a session, its solicitations and arbitrations again gave. */
export interface ReplayReport {
  readonly sessionId: string;
  readonly identical: boolean;
  readonly streamsChecked: number;
  /** Derived again, and equal. */
  readonly eventsChecked: number;
  /** Taken as facts from the record. */
  readonly eventsTaken: number;
  /** Histories that have not ended yet. */
  readonly open: number;
  /** At most one for each stream: the first; what comes after it there is not looked at. */
  readonly divergences: readonly Divergence[];
}
