import { type ArbiterRef, arbiterContext, type ArbitrationRequested, type Session } from '#lib/session';
import type { ArbiterCallee, ArbitrationStarted } from './arbitration.events.js';

/** What of an arbitration's start does not follow from its session. */
export type ArbitrationRules = Pick<ArbitrationStarted['data'], 'workflowVersion' | 'policies'>;

/**
 * Everything the workflow will read, fixed before anything is asked.
 * @param session as it was when its arbitration was requested, whatever came after that
 */
export function arbitrationStart(
  session: Session,
  { arbitrationId, roundId, arbiter, alignment }: ArbitrationRequested['data'],
  { workflowVersion, policies }: ArbitrationRules,
): ArbitrationStarted {
  const { sessionId, machineName } = session;
  return {
    type: 'ArbitrationStarted',
    data: {
      arbitrationId,
      sessionId,
      roundId,
      machineName,
      arbiterId: arbiter.specialistId,
      workflowVersion,
      arbiter: arbiterCallee(arbiter),
      policies,
      context: arbiterContext(session, arbiter, alignment),
    },
  };
}

/** How an arbiter is asked, from how the round was put before it. */
export function arbiterCallee({
  strategyFnName = '',
  strategyWebhookUrl,
  webhookTokenName = '',
}: ArbiterRef): ArbiterCallee {
  if (strategyWebhookUrl === undefined) return { kind: 'function', strategyFnName };
  return { kind: 'webhook', url: strategyWebhookUrl, tokenName: webhookTokenName };
}
