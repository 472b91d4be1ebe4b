import type { ModelRoutes } from '../models/model-routes.js';
import type { Session } from '#lib/session';
import { type ProposerMode, type SolicitationInput, type SolicitationPolicies } from '#lib/solicitation';
import type { ProposerExecution } from '#lib/specialist';

/** What of the process's settings goes into the input of solicitations. */
export interface SolicitationSettings {
  readonly models: ModelRoutes;
  readonly policies: SolicitationPolicies;
}

/** What of the input comes from read models. */
export type StartFacts = Pick<SolicitationInput, 'exemplars'>;

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
    proposer: proposerMode(execution, settings.models),
    policies: settings.policies,
    ...facts,
  };
}

/** How a proposer is asked, from how it was registered. */
export function proposerMode(execution: ProposerExecution, models: ModelRoutes): ProposerMode {
  if ('strategyFnName' in execution) return { kind: 'strategy', strategyFnName: execution.strategyFnName };
  if ('strategyWebhookUrl' in execution) {
    const { strategyWebhookUrl, webhookTokenName } = execution;
    return { kind: 'webhook', strategyWebhookUrl, webhookTokenName };
  }
  if ('workflow' in execution) {
    const { name: workflow, input } = execution.workflow;
    return { kind: 'workflow', workflow, input };
  }
  const { modelId, backupModels, modelParameters, systemPrompt, askReasoning, ...context } = execution;
  return {
    kind: 'model',
    context,
    routes: models.of(modelId, backupModels),
    ...(modelParameters && { modelParameters }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(askReasoning && { askReasoning }),
  };
}
