import type { ActivityFailure } from '../activity/activity.js';
import type { JsonObject } from '#lib/kernel';
import type { Failure } from '../run-values.js';
import { Watch } from './running.js';

/** Tells how a run or a step ended, and not where in the code: taking a stack costs more than all else about a failure. */
class Ending extends Error {
  constructor(message: string) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Ends the run as failed. One that is made in a script ends its run at the next step, even if the script catches it. */
export class RunFails extends Ending {
  override readonly name = 'RunFails';

  /** @param result what the run gives besides the failure */
  constructor(
    readonly failure: Failure,
    readonly result?: JsonObject,
  ) {
    super(failure.message);
    Watch.current?.end(this);
  }
}

/** A step that came to no result. A script that does not catch it fails with its kind and message. */
export class StepFailed extends Ending {
  override readonly name = 'StepFailed';
  /** Kebab case: of the activity, `interrupted` (the outcome is unknown), `expired` (nobody answered), or of the child. */
  readonly kind: string;
  /** Whether the same step may be done again. For `interrupted`: whether that is safe. */
  readonly retryable: boolean;
  /** How long to wait before that, if the other side said so. */
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
