import { hasTimes, type WaitingTimes } from '#lib/candidates';
import { type JsonObject, present } from '#lib/kernel';
import { CLOCK_BRANCH, waitTaskId } from '../people-wait.rules.js';
import { DUE_TIMES } from '../run.decider.js';
import type { ChildEnded } from '../runtime.events.js';
import type { Step } from '../workflow.js';
import {
  branched,
  type Closed,
  here,
  type Open,
  opened,
  type Place,
  type Steps,
  until,
  waiting,
} from './script.js';

type Await = Extract<Step, { do: 'await' }>;

/**
 * Waits for people. The clock of the wait is a run below this one. It begins with the wait if the wait has times, else when an operator asks for it.
 * @param times If the await has a time-out, they are the time-out's, and the clock begins when an operator asks for it
 * @param make gives the await until it is opened; a fork opens it again
 * @returns `undefined` when the clock, or the time-out, ends the wait
 */
export function* peopleAwaited(
  step: Await,
  times: WaitingTimes = {},
  make = () => step,
): Steps<Closed | undefined> {
  const [first] = yield* branched({
    path: step.id,
    scripts: [
      { key: 'answer', script: answered(make) },
      { key: CLOCK_BRANCH, script: timeOver(step, times) },
    ],
    until: 'first',
  });
  const closed = first?.index === 0 ? (first.value as Closed) : undefined;
  return closed?.event.type === 'SignalReceived' ? closed : undefined;
}

function answered(make: () => Await): Open<Closed> {
  return waiting(answered, () => opened(make));
}

/** Runs the clocks of a wait. After a clock has failed, the wait has no times until another clock is asked for. */
function timeOver(step: Await, times: WaitingTimes): Open<void> {
  return waiting(timeOver, function* () {
    const place = yield* here();
    yield* until(() => place.openingOf(step.id) !== undefined);
    const begins = hasTimes(times) && step.timeoutMs === undefined ? 1 : 0;
    const wanted = () => begins + place.clockRequestsFor(step.id);
    for (let begun = 0; ; begun++) {
      yield* until(() => wanted() > begun);
      // A clock after a failed one begins without the times of the wait.
      const id = place.name('child');
      const ofWait = begun === 0 ? timesIn(times) : {};
      const { event } = yield* opened(() => clockOf(place, step.id, { id, times: ofWait }));
      if ((event.data as ChildEnded['data']).status === 'completed') return;
    }
  });
}

/** The times count from the event that opens the wait; in a fork, from the one that opens it again. */
function clockOf(
  place: Place,
  waitId: string,
  { id, times }: { readonly id: string; readonly times: WaitingTimes },
): Step {
  const since = place.openingOf(waitId)?.occurredAt;
  const input = { since, taskId: waitTaskId(place.runId, waitId), times } as JsonObject;
  return { do: 'child', id, workflow: DUE_TIMES, input };
}

function timesIn({ dueIn, remindBefore, escalations, expireIn }: WaitingTimes): WaitingTimes {
  return present({ dueIn, remindBefore, escalations, expireIn });
}
