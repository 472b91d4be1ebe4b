import type { Activity, ActivityRegistry } from '#lib/activity';
import { type JsonObject, jsonText, reject, type Rejection } from '#lib/kernel';
import { refuse } from '#lib/operations';
import type { ProposerExecution } from '#lib/specialist';
import type { WorkflowRegistry } from '#lib/workflow';
import { unpricedModel } from '#lib/models';
import { proposerMode, type SolicitationSettings } from './proposer-mode.js';

/** Says before anything is recorded whether this process could ask a proposer. */
export class ProposerCheck {
  constructor(
    private readonly activities: ActivityRegistry<Activity>,
    private readonly workflows: WorkflowRegistry,
    private readonly settings: SolicitationSettings,
  ) {}

  /** @throws RejectionError when this process could not make a call that such a proposer needs */
  check(execution: ProposerExecution): void {
    const proposer = proposerMode(execution, this.settings.models);
    if (proposer.kind === 'webhook') return;
    if (proposer.kind === 'workflow') return this.#mustHave(proposer.workflow);
    if (proposer.kind === 'strategy')
      return this.#must('function', named(proposer.strategyFnName, 'strategy'));
    const { context, routes, budget } = proposer;
    const unpriced = unpricedModel(routes, budget);
    if (unpriced) refuse(unpriced);
    if ('contextFnName' in context) this.#must('function', named(context.contextFnName, 'context'));
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
