import type { AskedRun } from './run-owner.js';

/** Runs that may need a driver, from a projection of the log. A stale row costs one read: the folded run decides. */
export interface RunIndex {
  /**
   * A page of runs whose next timer is due before this time, whose last event is external, that have a call open, or whose end was not delivered.
   * @param after the `place` of the last run of the previous page, or ''
   */
  toWake(before: Date, after: string, limit: number): Promise<readonly RunToWake[]>;
  /** A page, by run id, of runs that a capability's stream asks for and that are not started. */
  toBegin(after: string, limit: number): Promise<readonly AskedRun[]>;
}

/** A run without a driver, and when it has work to do. */
export interface RunToWake {
  /** Its place in the order of pages: the next page begins after it. */
  readonly place: string;
  readonly stream: string;
  readonly revision: number;
  /** The version of its workflow. */
  readonly version: number;
  /** The time of its last event, in epoch milliseconds. */
  readonly updatedAt: number;
  readonly hasEnded: boolean;
  /** Epoch milliseconds. Present if the run waits only for a timer. */
  readonly dueAt?: number;
}
