import { RunFails } from './failures.js';
import { heldCall, isApproved, isHeldCall, refusalOf } from './held-calls.rules.js';
import { peopleAwaited } from './people-await.script.js';
import { type Closed, here, type Making, opened, type Steps } from './script.js';

/**
 * Does one step, and waits for its outcome. In a run that works for a fork, the call of a function or webhook of the application waits
 * for an approval first.
 * @param isBuiltIn it is a function of the engine
 * @throws RunFails if the call is refused
 */
export function* done(step: Making, isBuiltIn = false): Steps<Closed> {
  if (!isBuiltIn) yield* released(step);
  return yield* opened(step);
}

function* released(making: Making): Steps<void> {
  const step = typeof making === 'function' ? making() : making;
  if (!isHeldCall(step) || (yield* here()).start.data.fork !== 'hold') return;
  if (!isApproved(yield* peopleAwaited(heldCall(step, '-approval')))) throw new RunFails(refusalOf(step));
}
