import { hasTimes, type WaitingTimes } from '#lib/candidates';
import type { JsonObject } from '#lib/kernel';
import { CLOCK_BRANCH, waitTaskId } from '../people-wait.rules.js';
import { DUE_TIMES } from '../run.decider.js';
import type { Step } from '../workflow.js';
import { branched, type Closed, done, here, type Open, type Steps, until, waiting } from './script.js';
import { tried } from './tried.js';
import { child } from './waits.script.js';

type Await = Extract<Step, { do: 'await' }>;

/**
 * Waits for people. The clock of a wait that has times is a run below this one.
 * @returns undefined when the clock ends the wait
 */
export function* peopleAwaited(step: Await, times: WaitingTimes = {}): Steps<Closed | undefined> {
  if (!hasTimes(times)) return yield* done(step);
  const [first] = yield* branched({
    path: step.id,
    scripts: [
      { key: 'answer', script: answered(step) },
      { key: CLOCK_BRANCH, script: timeOver(step, times) },
    ],
    until: 'first',
  });
  return first?.index === 0 ? (first.value as Closed) : undefined;
}

function answered(step: Await): Open<Closed> {
  return waiting(answered, () => done(step));
}

/** The clock counts from the event that opens the wait. One that fails leaves the wait without times. */
function timeOver({ id }: Await, times: WaitingTimes): Open<void> {
  return waiting(timeOver, function* () {
    const { start, opened } = yield* here();
    const opening = () => opened.findLast(({ data }) => 'stepId' in data && data.stepId === id);
    yield* until(() => opening() !== undefined);
    const clock = {
      since: opening()?.occurredAt,
      taskId: waitTaskId(start.runId, id),
      times: timesIn(times),
    };
    const over = yield* tried(child(DUE_TIMES, clock as JsonObject));
    if ('failed' in over) yield* done({ do: 'timer', id: `${id}/${CLOCK_BRANCH}/never`, afterMs: NEVER_MS });
  });
}

/** A timer of this length never fires. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

function timesIn({ dueIn, remindBefore, escalations, expireIn }: WaitingTimes): WaitingTimes {
  return {
    ...(dueIn !== undefined && { dueIn }),
    ...(remindBefore && { remindBefore }),
    ...(escalations && { escalations }),
    ...(expireIn !== undefined && { expireIn }),
  };
}
