import { proposerContext, type Session } from '#lib/session';
import {
  LADDER_VERSION,
  type ProposerMode,
  type SolicitationPolicies,
  type SolicitationStarted,
  splitModelId,
} from '#lib/solicitation';
import type { ProposerExecution } from '#lib/specialist';

/** What of the process's settings goes into a solicitation's start event. */
export interface SolicitationSettings {
  /** Of the OpenAI-compatible API, as it may be shown. */
  readonly baseUrl: string;
  readonly policies: SolicitationPolicies;
}

/** What of a start event comes from read models and price lists. */
export type StartFacts = Pick<SolicitationStarted['data'], 'price' | 'exemplars'>;

type Solicited = Pick<
  SolicitationStarted['data'],
  'solicitationId' | 'roundId' | 'specialistId' | 'specialistVersion'
>;

/** Everything the workflow will read, fixed before anything is asked. */
export function startEvent(
  session: Session,
  solicited: Solicited,
  execution: ProposerExecution,
  settings: SolicitationSettings,
  facts: StartFacts = {},
): SolicitationStarted {
  const { solicitationId, roundId, specialistId, specialistVersion } = solicited;
  return {
    type: 'SolicitationStarted',
    data: {
      solicitationId,
      sessionId: session.sessionId,
      roundId,
      specialistId,
      specialistVersion,
      workflowVersion: LADDER_VERSION,
      proposer: proposerMode(execution, settings.baseUrl),
      policies: settings.policies,
      context: proposerContext(session, roundId),
      ...facts,
    },
  };
}

/** How a proposer is asked, from how it was registered. */
export function proposerMode(execution: ProposerExecution, baseUrl: string): ProposerMode {
  if ('strategyFnName' in execution) return { kind: 'strategy', strategyFnName: execution.strategyFnName };
  if ('strategyWebhookUrl' in execution) {
    const { strategyWebhookUrl, webhookTokenName } = execution;
    return { kind: 'webhook', strategyWebhookUrl, webhookTokenName };
  }
  const { modelId: rawModelId, askReasoning, ...context } = execution;
  const { modelId, flags } = splitModelId(rawModelId);
  const useTools = flags['tools'] !== 'no';
  const model = { kind: 'model', context, rawModelId, modelId, flags, useTools, baseUrl } as const;
  return askReasoning ? { ...model, askReasoning } : model;
}
