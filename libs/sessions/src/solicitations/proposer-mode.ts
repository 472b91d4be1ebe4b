import type { ProposerMode, SolicitationPolicies } from '#lib/solicitation';
import type { ModelRoutes } from '#lib/runs';
import type { ProposerExecution } from '#lib/specialist';

/** The settings of the process that solicitations record. */
export interface SolicitationSettings {
  readonly models: ModelRoutes;
  readonly policies: SolicitationPolicies;
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
  const { modelId, backupModels, modelParameters, systemPrompt, askReasoning, budget, ...context } =
    execution;
  return {
    kind: 'model',
    context,
    routes: models.of(modelId, backupModels),
    ...(modelParameters && { modelParameters }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(budget && { budget }),
    ...(askReasoning && { askReasoning }),
  };
}
