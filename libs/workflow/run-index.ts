import type { AskedRun } from './run-owner.js';

/** Runs that may need a driver, from a projection of the log. A stale row costs one look: the fold decides. */
export interface RunIndex {
  /**
   * A page of runs whose next timer is due before this time, whose last event is external, that have a call open,
   * or whose end was not delivered.
   * @param after the place of the last one of the page before, or ''
   */
  toWake(before: Date, after: string, limit: number): Promise<readonly RunToWake[]>;
  /** A page, by run id, of runs that a capability's stream asks for and that are not started. */
  toBegin(after: string, limit: number): Promise<readonly AskedRun[]>;
}

/** A run without a driver, and when it has something to do. */
export interface RunToWake {
  /** Where it is in the order of pages: the next page is after it. */
  readonly place: string;
  readonly stream: string;
  readonly revision: number;
  /** Of its workflow. */
  readonly version: number;
  /** Epoch milliseconds: of its last event. */
  readonly updatedAt: number;
  readonly hasEnded: boolean;
  /** Epoch milliseconds, if a timer is all that it waits for. */
  readonly dueAt?: number;
}
