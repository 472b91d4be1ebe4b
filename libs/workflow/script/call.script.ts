import type { ActivityFailure } from '../activity/activity.js';
import type { Seen, Step } from '../workflow.js';
import { StepFailed } from './failures.js';
import { done, type Steps } from './script.js';
import type { Tried } from './tried.js';

type Call = Omit<Extract<Step, { do: 'call' }>, 'do'>;

/** Calls an activity once: the event of its outcome, or the failure. */
export function* called(call: Call): Steps<Tried<Seen, StepFailed>> {
  const { event } = yield* done({ do: 'call', ...call });
  const { failure } = event.data as { failure?: ActivityFailure };
  return failure ? { failed: new StepFailed(failure, call.id) } : { value: event };
}
