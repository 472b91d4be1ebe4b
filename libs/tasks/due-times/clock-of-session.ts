import { present } from '#lib/kernel';
import type { StreamHistory } from '#lib/event-store';
import { peopleOf, timedTransitionsOf } from '#lib/decisions/machines';
import {
  currentRound,
  roundTaskId,
  type Session,
  sessionDecider,
  type SessionEvent,
} from '#lib/decisions/session';
import type { Clock } from './clock.rules.js';

/**
 * @param history of the session, up to the event that starts the clock
 * @throws TypeError if it does not end so
 */
export function clockOfSession(history: StreamHistory<SessionEvent>): Clock {
  const session = history.state(sessionDecider);
  const started = history.events.at(-1);
  if (!session || !started || !('clockId' in started.data))
    throw new TypeError('The context of a clock ends with the event that starts it.');
  const { machine, currentState, sessionId } = session;
  const { occurredAt: since } = started;
  if (isOfRound(started)) return { since, after: timedTransitionsOf(machine, currentState) };
  const taskId = roundTaskId(sessionId, currentRound(session).roundId);
  return { since, taskId, ...(isTimed(started) && { times: timesOf(session) }) };
}

/** Before 0.3.1 the clock of a round in a fork had no effect: it was that of a wait without times. */
function isOfRound({ type, data }: SessionEvent): boolean {
  if (type === 'SessionForked') return data.freshRound === true;
  return type === 'SessionCreated' || type === 'TransitionExecuted';
}

function isTimed({ type, data }: SessionEvent): boolean {
  return type === 'HumanInputRequested' || (type === 'ClockStarted' && data.timed === true);
}

function timesOf({ machine, currentState }: Session): NonNullable<Clock['times']> {
  const { dueIn, remindBefore, escalations, expireIn, onExpiry } = peopleOf(machine, currentState) ?? {};
  return present({ dueIn, remindBefore, escalations, expireIn, onExpiry });
}
