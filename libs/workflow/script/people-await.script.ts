import { hasTimes, type WaitingTimes } from '#lib/candidates';
import type { JsonObject } from '#lib/kernel';
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
 * Waits for people. The clock of a wait is a run below this one: it begins with a wait that has times, else when an operator asks for it.
 * @param times those of an await with a time-out are the time-out's: its clock begins when it is asked for
 * @param make gives the await as it is until it is opened: in a fork it is opened again
 * @returns undefined when the clock, or the time-out, ends the wait
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

/** A clock that fails leaves the wait without times, until another one is asked for. */
function timeOver(step: Await, times: WaitingTimes): Open<void> {
  return waiting(timeOver, function* () {
    const place = yield* here();
    yield* until(() => place.openingOf(step.id) !== undefined);
    const begins = hasTimes(times) && step.timeoutMs === undefined ? 1 : 0;
    const wanted = () => begins + place.clockRequestsFor(step.id);
    for (let begun = 0; ; begun++) {
      yield* until(() => wanted() > begun);
      // The moments of a clock that has failed are lost.
      const id = place.name('child');
      const ofWait = begun === 0 ? timesIn(times) : {};
      const { event } = yield* opened(() => clockOf(place, step.id, { id, times: ofWait }));
      if ((event.data as ChildEnded['data']).status === 'completed') return;
    }
  });
}

/** Times count from the event that opens the wait, in a fork from the one that opens it again. */
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
  return {
    ...(dueIn !== undefined && { dueIn }),
    ...(remindBefore && { remindBefore }),
    ...(escalations && { escalations }),
    ...(expireIn !== undefined && { expireIn }),
  };
}
