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

/** Reports in the order of the log; `done` with the last reports of a range. A `failure` alone means that the thread has ended. */
export type FromReplayThread = Answered | { readonly failure: Failure };

export interface Answered {
  readonly done?: boolean;
  readonly value: readonly LogReplayReport[];
  /** The first stream of the range whose key is missing. All other streams of the range are verified. */
  readonly missing?: Failure;
}
