import type { ActivityFailure } from '../activity/activity.js';
import type { Step } from '../workflow.js';
import { StepFailed } from './failures.js';
import { done } from './done.script.js';
import type { Closed, Steps } from './script.js';
import type { Tried } from './tried.js';

type Call = Omit<Extract<Step, { do: 'call' }>, 'do'>;

/** Calls an activity once, and gives the events of the call, or its failure. */
export function* called(
  call: Call | (() => Call),
): Steps<Tried<Closed, StepFailed> & { readonly last: Closed }> {
  const last = yield* done(
    typeof call === 'function' ? () => ({ do: 'call', ...call() }) : { do: 'call', ...call },
  );
  const { stepId, failure } = last.event.data as { stepId: string; failure?: ActivityFailure };
  return failure ? { failed: new StepFailed(failure, stepId), last } : { value: last, last };
}
