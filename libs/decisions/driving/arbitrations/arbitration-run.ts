import { arbitrationEnd, type ArbitrationInput, arbitrationRequests } from '#lib/decisions/arbitration';
import { derivedId } from '#lib/kernel';
import type { WithdrawnRuns } from '#lib/runs/runs/core';
import {
  runsOfFork,
  type SessionCommand,
  sessionDecider,
  type SessionEvent,
  type SessionState,
} from '#lib/decisions/session';

/** The settings of the process that the start of an arbitration records. */
export type ArbitrationSettings = ArbitrationInput['policies'];

/** Arbitrations as runs that sessions ask for. */
export function arbitrationRun(
  policies: ArbitrationSettings,
): WithdrawnRuns<SessionState, SessionCommand, SessionEvent> {
  return {
    decider: sessionDecider,
    requests: arbitrationRequests,
    withdrawalReason: 'the session is closed',
    isUnattended: false,
    members: ['endsArbitrations'],
    input: () => ({ policies }),
    forkOf: runsOfFork,
    closing: (sessionId, arbitrationId, end) => {
      const nextRoundId = derivedId(arbitrationId, 'next-round');
      const result = arbitrationEnd(end);
      const data = { sessionId, arbitrationId, nextRoundId, result, bindsTrust: true as const };
      return { type: 'CloseArbitration', data };
    },
  };
}
