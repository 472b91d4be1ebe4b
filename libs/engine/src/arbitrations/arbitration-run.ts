import { arbitrationEnd, type ArbitrationInput, arbitrationRequests } from '#lib/arbitration';
import { derivedId } from '#lib/kernel';
import type { SessionRunKind } from '../workflows/session-run-owner.js';

/** Arbitrations as runs that sessions ask for. */
export function arbitrationRun(policies: ArbitrationInput['policies']): SessionRunKind {
  return {
    requests: arbitrationRequests,
    input: () => ({ policies }),
    closing: (sessionId, arbitrationId, end) => {
      const nextRoundId = derivedId(arbitrationId, 'next-round');
      const data = { sessionId, arbitrationId, nextRoundId, result: arbitrationEnd(end) };
      return { type: 'CloseArbitration', data };
    },
  };
}
