import { isForked } from '../forks/forked-run.rules.js';
import { RunFails } from './failures.js';
import { heldCall, isApproved, isHeldCall, refusalOf } from './held-calls.rules.js';
import { peopleAwaited } from './people-await.script.js';
import { type Closed, here, type Making, opened, type Steps } from './script.js';

/**
 * Does one step, and waits for its outcome. In a run that works for a fork, an approval comes before the call of a function or webhook of the
 * application. A call that was open when its run was forked is made again.
 * @param isBuiltIn the call is of a function of the engine
 * @throws RunFails if the call is refused
 */
export function* done(step: Making, isBuiltIn = false): Steps<Closed> {
  for (let time = 1; ; time++) {
    if (!isBuiltIn) yield* released(step, time);
    const closed = yield* opened(step);
    if (!isForked(closed.event)) return closed;
  }
}

function* released(making: Making, time: number): Steps<void> {
  const step = typeof making === 'function' ? making() : making;
  if (!isHeldCall(step) || (yield* here()).fork?.effects !== 'hold') return;
  const ending = time === 1 ? '-approval' : `-approval#${time}`;
  if (!isApproved(yield* peopleAwaited(heldCall(step, ending)))) throw new RunFails(refusalOf(step));
}
