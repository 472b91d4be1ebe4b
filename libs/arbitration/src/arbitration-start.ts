import {
  type ArbiterContext,
  type ArbiterRef,
  arbiterContext,
  type ArbitrationRequested,
  type Session,
} from '#lib/session';
import type { ArbiterCallee, ArbitrationStarted } from './arbitration.events.js';

/** What of an arbitration's start does not follow from its session. */
export type ArbitrationRules = Pick<
  ArbitrationStarted['data'],
  'workflowVersion' | 'policies' | 'humanGoldExamples' | 'alignmentScores'
>;

/**
 * Everything the workflow will read, fixed before anything is asked.
 * @param session as it was when its arbitration was requested, whatever came after that
 */
export function arbitrationStart(
  session: Session,
  { arbitrationId, roundId, arbiter, alignment }: ArbitrationRequested['data'],
  { workflowVersion, policies, humanGoldExamples, alignmentScores }: ArbitrationRules,
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
      ...(humanGoldExamples && { humanGoldExamples }),
      ...(alignmentScores && { alignmentScores }),
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

/** What the arbiter is told: the context, with what people decided before and the alignment under DIAL's name. */
export function toldArbiter({
  context,
  humanGoldExamples,
  alignmentScores,
}: ArbitrationStarted['data']): ArbiterContext {
  return {
    ...context,
    ...(alignmentScores && { alignmentScores }),
    ...(humanGoldExamples && { humanGoldExamples }),
  };
}
