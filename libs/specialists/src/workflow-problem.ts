import { checkValue } from '#lib/json-schema';
import { jsonText } from '#lib/kernel';
import type { ProposingWorkflow } from '#lib/machine';
import { templateProblem, textsIn } from '#lib/solicitation';
import { newestVersion, type WorkflowRegistry } from '#lib/workflow';

/** Why a workflow cannot propose with this input; `undefined` where nothing is known against it. */
export function workflowProblem(
  workflows: WorkflowRegistry,
  { name, input }: Required<ProposingWorkflow>,
): string | undefined {
  const workflow = workflows.named(name);
  if (!workflow || workflow.internal) return `workflow "${name}" is not registered in this process`;
  const schema = workflow.versions[newestVersion(workflow)]?.input ?? {};
  const [error] = checkValue(schema, { ...input, exits: [] }).errors;
  if (error) {
    const { path, keyword, params } = error;
    return `the input of workflow "${name}" breaks the rule ${keyword} at ${path || '/'}: ${jsonText(params)}`;
  }
  return textsIn(input).flatMap((text) => templateProblem(text)?.message ?? [])[0];
}
