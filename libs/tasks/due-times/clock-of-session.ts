import type { StreamHistory } from '#lib/event-store';
import { peopleOf, timedTransitionsOf } from '#lib/decisions/machines';
import { currentRound, roundTaskId, sessionDecider, type SessionEvent } from '#lib/decisions/session';
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
  const isOfRound = started.type === 'SessionCreated' || started.type === 'TransitionExecuted';
  if (isOfRound) return { since, after: timedTransitionsOf(machine, currentState) };
  const taskId = roundTaskId(sessionId, currentRound(session).roundId);
  if (started.type !== 'HumanInputRequested') return { since, taskId };
  const { dueIn, remindBefore, escalations, expireIn, onExpiry } = peopleOf(machine, currentState) ?? {};
  const times = {
    ...(dueIn !== undefined && { dueIn }),
    ...(remindBefore && { remindBefore }),
    ...(escalations && { escalations }),
    ...(expireIn !== undefined && { expireIn }),
    ...(onExpiry && { onExpiry }),
  };
  return { since, taskId, times };
}
