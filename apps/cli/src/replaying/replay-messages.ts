import type { LogRange, LogReplayReport } from '#lib/engine/core';
import type { Failure } from '../error-classes.js';

/** The log and the code of a replay, as the command line names them. */
export interface ReplaySource {
  readonly dataDir?: string;
  /** A module with the workflows of an application. */
  readonly import?: string;
}

/** A range to verify, or the request for its next reports. A thread is asked again only after its answer. */
export type ToReplayThread = LogRange | 'next';

/** Reports in the order of the log; `done` with the last ones of a range. After a `failure` alone the thread has ended. */
export type FromReplayThread = Answered | { readonly failure: Failure };

export interface Answered {
  readonly done?: boolean;
  readonly value: readonly LogReplayReport[];
  /** The range has streams whose key is missing: the first of them. All others of it are verified. */
  readonly missing?: Failure;
}
