import type { ArbitrationActivities } from '#lib/activities';
import {
  arbitration,
  ARBITRATION_VERSION,
  arbitrationEnd,
  type ArbitrationEvent,
  arbitrationStart,
  type ArbitrationStarted,
  type ArbitrationState,
} from '#lib/arbitration';
import { derivedId, fold } from '#lib/kernel';
import { arbiterContext, type ArbiterRef, type ArbitrationRequested, sessionDecider } from '#lib/session';
import type { SessionWorkflow } from '../workflows/session-workflow.js';
import type { Facts } from '../solicitations/facts.js';
import type { ArbitrationSettings } from './arbitration-settings.js';

/** Arbitrations, as workflows that sessions begin. */
export function arbitrationKind(
  activities: ArbitrationActivities,
  settings: ArbitrationSettings,
  facts: Pick<Facts, 'ofArbitration'>,
): SessionWorkflow<ArbitrationState, ArbitrationEvent, ArbitrationRequested> {
  return {
    category: 'arbitration',
    workflow: arbitration,
    requestType: 'ArbitrationRequested',
    closingTypes: ['ConsensusReached', 'ConsensusNotReached', 'VerdictSetAside', 'ArbitrationFailed'],
    idIn: ({ data }) => ('arbitrationId' in data ? data.arbitrationId : undefined),
    start: async ({ revision, data }, history) => {
      // Whatever came after the request, the arbiter looks at the round as it was then.
      const session = fold(sessionDecider, history.slice(0, revision));
      const policies = policiesFor(data.arbiter, settings);
      if (!session) return undefined;
      const humanGoldExamples = await facts.ofArbitration(session);
      const { alignment: alignmentScores } = arbiterContext(session, data.arbiter, data.alignment);
      return arbitrationStart(session, data, {
        workflowVersion: ARBITRATION_VERSION,
        policies,
        alignmentScores,
        ...humanGoldExamples,
      });
    },
    activities: (start) => activities.forArbitration(start as ArbitrationStarted),
    closing: (sessionId, arbitrationId, end) => {
      const result = arbitrationEnd(end);
      const nextRoundId = derivedId(arbitrationId, 'next-round');
      return result && { type: 'CloseArbitration', data: { sessionId, arbitrationId, nextRoundId, result } };
    },
  };
}

function policiesFor({ strategyWebhookUrl }: ArbiterRef, settings: ArbitrationSettings) {
  const { maxAttempts, callTimeoutMs, webhookTimeoutMs } = settings;
  const isFunction = strategyWebhookUrl === undefined;
  return { maxAttempts, callTimeoutMs: isFunction ? callTimeoutMs : webhookTimeoutMs };
}
