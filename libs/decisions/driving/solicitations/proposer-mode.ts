import type { Activity, ActivityRegistry, WorkflowRegistry } from '#lib/workflow';
import { type JsonObject, jsonText, present, reject, type Rejection } from '#lib/kernel';
import { orRefused, refuse } from '#lib/operations/core';
import { unpricedModel } from '#lib/call-rules';
import type { ProposerMode, SolicitationPolicies } from '#lib/decisions/solicitation';
import type { ModelRoutes } from '#lib/runs/runs/core';
import type { ProposerExecution } from '#lib/decisions/specialists';

/** The settings of the process that solicitations record. */
export interface SolicitationSettings {
  readonly models: ModelRoutes;
  readonly policies: SolicitationPolicies;
}

/** The recorded mode of a proposer, from its registration. */
export function proposerMode(execution: ProposerExecution, models: Pick<ModelRoutes, 'of'>): ProposerMode {
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
    ...present({ modelParameters, systemPrompt, budget }),
    ...(askReasoning && { askReasoning }),
  };
}

/** Checks, before anything is recorded, that this process can ask a proposer. */
export class ProposerCheck {
  constructor(
    private readonly activities: ActivityRegistry<Activity>,
    private readonly workflows: WorkflowRegistry,
    private readonly settings: SolicitationSettings,
  ) {}

  /** @throws RejectionError if this process cannot make a call that such a proposer needs */
  check(execution: ProposerExecution): void {
    const proposer = this.#mode(execution);
    if (proposer.kind === 'webhook') return;
    if (proposer.kind === 'workflow') return this.#mustHave(proposer.workflow);
    if (proposer.kind === 'strategy')
      return this.#must('function', named(proposer.strategyFnName, 'strategy'));
    const { context } = proposer;
    if ('contextFnName' in context) this.#must('function', named(context.contextFnName, 'context'));
    this.#mustCall(proposer);
  }

  /** Checks the models alone. @throws RejectionError if this process cannot call one of them */
  checkModels(execution: ProposerExecution): void {
    const proposer = this.#mode(execution);
    if (proposer.kind === 'model') this.#mustCall(proposer);
  }

  #mode(execution: ProposerExecution): ProposerMode {
    const { models } = this.settings;
    return proposerMode(execution, { of: (...named) => orRefused(models.known(...named)) });
  }

  #mustCall({ routes, budget }: Extract<ProposerMode, { kind: 'model' }>): void {
    const unpriced = unpricedModel(routes, budget);
    if (unpriced) refuse(unpriced);
    for (const { provider, url } of routes) this.#must('llm', { provider, url });
  }

  #mustHave(workflow: string): void {
    if (!this.workflows.named(workflow)) refuse(missingWorkflow(workflow));
  }

  #must(activity: string, request: JsonObject): void {
    const refusal: Rejection | undefined = this.activities.named(activity)?.preflight(request);
    if (refusal) refuse(refusal);
  }
}

function named(fnName: string, purpose: 'strategy' | 'context'): JsonObject {
  return { fnName, purpose, input: null };
}

function missingWorkflow(name: string): Rejection {
  return reject('refused', 'configuration', {
    errorClass: 'MissingWorkflow',
    what: `workflow ${jsonText(name)}`,
    why: 'it is not registered in this process',
    fix: 'Give it in the option `workflows`, and start again',
  });
}
