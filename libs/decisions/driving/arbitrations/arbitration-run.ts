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
export type ArbitrationSettings = {
  /** Calls of an arbiter at most, with the first. 1: no retries. */
  readonly maxAttempts: number;
  /** The time limit for the call of a function, in ms. */
  readonly callTimeoutMs: number;
  /** The time limit for the call of a webhook, in ms. */
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
