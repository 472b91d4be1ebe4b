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

/** The settings of the process that an arbitration's start records. */
export type ArbitrationSettings = {
  /** Calls of an arbiter at most, the first included. 1: no retries. */
  readonly maxAttempts: number;
  /** Milliseconds until a call of a function is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds until a call of a webhook is given up. */
  readonly webhookTimeoutMs: number;
};

/** Arbitrations as runs that sessions ask for. */
export function arbitrationRun(
  policies: ArbitrationInput['policies'],
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
