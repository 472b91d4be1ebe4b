import { arbitrationEnd, type ArbitrationInput, arbitrationRequests } from '#lib/arbitration';
import { derivedId, fold } from '#lib/kernel';
import { sessionDecider } from '#lib/session';
import type { Facts } from '../solicitations/facts.js';
import type { SessionRunKind } from '../workflows/session-run-owner.js';
import type { ArbitrationSettings } from './arbitration-settings.js';

/** Arbitrations as runs that sessions ask for. */
export function arbitrationRun(
  policies: ArbitrationSettings,
  facts: Pick<Facts, 'ofArbitration'>,
): SessionRunKind {
  return {
    requests: arbitrationRequests,
    input: async ({ revision }, history): Promise<ArbitrationInput> => {
      const session = fold(sessionDecider, history.events.slice(0, revision));
      const examples = session ? await facts.ofArbitration(session) : {};
      return { policies: { ...policies }, ...examples };
    },
    closing: (sessionId, arbitrationId, end) => {
      const nextRoundId = derivedId(arbitrationId, 'next-round');
      const data = { sessionId, arbitrationId, nextRoundId, result: arbitrationEnd(end) };
      return { type: 'CloseArbitration', data };
    },
  };
}
