import type { ActivityFailure } from '../activity/activity.js';
import type { JsonObject } from '#lib/kernel';
import type { Failure } from '../run-values.js';
import { Watch } from './running.js';

/** The end of a run or a step as an error. It has no stack: taking one costs more than the rest of the failure. */
class Ending extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Ends the run as failed. If a script makes one, its run ends at the next step, even if the script catches it. */
export class RunFails extends Ending {
  override readonly name = 'RunFails';

  /** @param result of the run, besides the failure */
  constructor(
    readonly failure: Failure,
    readonly result?: JsonObject,
  ) {
    super(failure.message);
    Watch.current?.end(this);
  }
}

/** A step that gave no result. If a script does not catch it, the run fails with its kind and message. */
export class StepFailed extends Ending {
  override readonly name = 'StepFailed';
  /**
   * Kebab case: the kind of the activity, `interrupted` (the outcome is unknown), `expired` (no person answered), or the kind of the child's failure.
   */
  readonly kind: string;
  /** Whether the step may be done again. For `interrupted`: whether that is safe. */
  readonly retryable: boolean;
  /** The wait before the next attempt, if the other side named one. */
  readonly retryAfterMs?: number;

  constructor(
    { kind, message, retryable, retryAfterMs }: Omit<ActivityFailure, 'durationMs'>,
    readonly stepId: string,
  ) {
    super(message);
    this.kind = kind;
    this.retryable = retryable;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }
}
