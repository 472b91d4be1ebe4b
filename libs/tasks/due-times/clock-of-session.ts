import type { StreamHistory } from '#lib/event-store';
import type { RecordedEvent } from '#lib/kernel';
import { peopleOf, timedTransitionsOf } from '#lib/decisions/machines';
import {
  currentRound,
  roundTaskId,
  type Session,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';
import type { Clock } from './clock.rules.js';

type Started = RecordedEvent<SessionEvent>;

/**
 * @param history of the session, up to the event that starts the clock
 * @throws TypeError if it does not end so
 */
export function clockOfSession(history: StreamHistory<SessionEvent>): Clock {
  const { session, started } = startIn(history);
  const { occurredAt: since } = started;
  if (isOfRound(started)) return { since, after: timedTransitionsOf(session.machine, session.currentState) };
  const hasTimes = started.type === 'HumanInputRequested' || isOfFork(started, history.events);
  return { since, taskId: taskIdOf(session), ...(hasTimes && { times: timesOf(session) }) };
}

/** The same, as version 1 of `due_times` has it: the clocks that a fork starts do nothing by themselves. */
export function clockOfSession1(history: StreamHistory<SessionEvent>): Clock {
  const { session, started } = startIn(history);
  const isIdle = started.type === 'SessionForked' || started.type === 'ClockStarted';
  return isIdle ? { since: started.occurredAt, taskId: taskIdOf(session) } : clockOfSession(history);
}

function startIn(history: StreamHistory<SessionEvent>) {
  const session = history.state(sessionDecider);
  const started = history.events.at(-1);
  if (!session || !started || !('clockId' in started.data))
    throw new TypeError('The context of a clock ends with the event that starts it.');
  return { session, started };
}

function isOfRound({ type }: Started): boolean {
  return type === 'SessionCreated' || type === 'TransitionExecuted' || type === 'SessionForked';
}

/** A clock that a fork starts has the times of the definition. One that an operator has asked for is set by the operator alone. */
function isOfFork({ metadata: { commandId } }: Started, events: readonly Started[]): boolean {
  const forked = events.findLast(({ type }) => type === 'SessionForked');
  return commandId !== undefined && forked?.metadata.commandId === commandId;
}

function taskIdOf(session: Session): string {
  return roundTaskId(session.sessionId, currentRound(session).roundId);
}

function timesOf({ machine, currentState }: Session): NonNullable<Clock['times']> {
  const { dueIn, remindBefore, escalations, expireIn, onExpiry } = peopleOf(machine, currentState) ?? {};
  return {
    ...(dueIn !== undefined && { dueIn }),
    ...(remindBefore && { remindBefore }),
    ...(escalations && { escalations }),
    ...(expireIn !== undefined && { expireIn }),
    ...(onExpiry && { onExpiry }),
  };
}
