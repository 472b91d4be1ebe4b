import { derivedId, isJsonObject } from '#lib/kernel';
import type { RunEnd } from '#lib/workflow';
import type { WithdrawnRuns } from '#lib/runs/runs/core';
import {
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
  type SessionState,
  type TakeTime,
} from '#lib/decisions/session';
import { dueTimesRequests } from '#lib/tasks/core';

/** Clocks as runs that sessions ask for. */
export const dueTimesRun: WithdrawnRuns<SessionState, SessionCommand, SessionEvent> = {
  decider: sessionDecider,
  requests: dueTimesRequests,
  isUnattended: true,
  members: ['clockId', 'endsClocks'],
  input: () => ({}),
  closing: (sessionId, clockId, end) => {
    const nextRoundId = derivedId(clockId, 'next-round');
    return { type: 'TakeTime', data: { sessionId, clockId, nextRoundId, result: timeTaken(end) } };
  },
};

/** The end of a clock, for its session. Defined for every end, also of a run that was given up. */
export function timeTaken({ status, result, failure }: RunEnd): TakeTime['data']['result'] {
  if (status !== 'completed' || !isJsonObject(result)) {
    const { kind = 'interrupted', message = 'The clock was ended before its time.' } = failure ?? {};
    return { failure: { kind, message } };
  }
  const { transition } = result;
  return typeof transition === 'string' ? { transition } : {};
}
