import type { Session } from '#lib/session';
import {
  type ProposerMode,
  type SolicitationInput,
  type SolicitationPolicies,
  splitModelId,
} from '#lib/solicitation';
import type { ProposerExecution } from '#lib/specialist';

/** What of the process's settings goes into the input of solicitations. */
export interface SolicitationSettings {
  /** Of the OpenAI-compatible API, as it may be shown. */
  readonly baseUrl: string;
  readonly policies: SolicitationPolicies;
}

/** What of the input comes from read models and price lists. */
export type StartFacts = Pick<SolicitationInput, 'price' | 'exemplars'>;

type Asked = Pick<SolicitationInput, 'sessionId' | 'roundId' | 'specialistId' | 'specialistVersion'>;

/** Everything the rules will read besides the session's context, fixed before anything is asked. */
export function solicitationInput(
  { sessionId, roundId, specialistId, specialistVersion }: Asked,
  { machineName }: Pick<Session, 'machineName'>,
  execution: ProposerExecution,
  settings: SolicitationSettings,
  facts: StartFacts,
): SolicitationInput {
  return {
    sessionId,
    roundId,
    specialistId,
    specialistVersion,
    machineName,
    proposer: proposerMode(execution, settings.baseUrl),
    policies: settings.policies,
    ...facts,
  };
}

/** How a proposer is asked, from how it was registered. */
export function proposerMode(execution: ProposerExecution, baseUrl: string): ProposerMode {
  if ('strategyFnName' in execution) return { kind: 'strategy', strategyFnName: execution.strategyFnName };
  if ('strategyWebhookUrl' in execution) {
    const { strategyWebhookUrl, webhookTokenName } = execution;
    return { kind: 'webhook', strategyWebhookUrl, webhookTokenName };
  }
  if ('workflow' in execution) {
    const { name: workflow, input } = execution.workflow;
    return { kind: 'workflow', workflow, input };
  }
  const { modelId: rawModelId, askReasoning, ...context } = execution;
  const { modelId, flags } = splitModelId(rawModelId);
  const useTools = flags['tools'] !== 'no';
  const model = { kind: 'model', context, rawModelId, modelId, flags, useTools, baseUrl } as const;
  return askReasoning ? { ...model, askReasoning } : model;
}
