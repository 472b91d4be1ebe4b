import type { ArbiterFunctions } from '#lib/decisions/arbitration';
import { type ProposerFunctions, textsIn } from '#lib/decisions/solicitation';
import { isRejection, reject, type Rejection, withoutClass } from '#lib/kernel';
import { templateProblem } from '#lib/call-rules';
import {
  type ArbiterMode,
  type ProposerExecution,
  specialistBody,
  type SpecialistRegistration,
} from '#lib/decisions/specialists';
import { type WorkflowRegistry, newestVersion } from '#lib/workflow';
import { checkValue, schemaProblem } from '#lib/json-schema';
import type { ProposingWorkflow } from '#lib/decisions/machines';
import { overrideProblems } from './override-problems.js';

/** Checks of a registration against this process: its names exist, and its templates can be parsed. */
export class RegistrationChecks {
  constructor(
    private readonly functions: ProposerFunctions,
    private readonly arbiters: ArbiterFunctions,
    private readonly workflows: WorkflowRegistry,
  ) {}

  refusal(registration: SpecialistRegistration): Rejection | undefined {
    const body = specialistBody(registration);
    if (isRejection(body)) return body;
    if (body.role === 'arbiter') return invalid(registration, this.arbiterProblem(body.execution));
    return body.execution && invalid(registration, this.proposerProblem(body.execution));
  }

  private arbiterProblem(mode: ArbiterMode): string | undefined {
    if (!('strategyFnName' in mode)) return undefined;
    return unlisted('strategyFnName', mode.strategyFnName, this.arbiters.arbiterNames);
  }

  private proposerProblem(mode: ProposerExecution): string | undefined {
    const { strategyNames, contextNames } = this.functions;
    if ('strategyFnName' in mode) return unlisted('strategyFnName', mode.strategyFnName, strategyNames);
    if ('workflow' in mode) return workflowProblem(this.workflows, mode.workflow);
    if ('contextFnName' in mode) {
      const problem = unlisted('contextFnName', mode.contextFnName, contextNames);
      if (problem !== undefined) return problem;
    }
    return 'modelId' in mode ? overrideProblems(mode)[0]?.message : undefined;
  }
}

function invalid(
  { role, specialistId }: SpecialistRegistration,
  why: string | undefined,
): Rejection | undefined {
  if (why === undefined) return undefined;
  const what = `${role} ${specialistId}`;
  const fix = 'Correct the registration and send it again';
  return reject('refused', 'invalid-specialist', {
    what,
    why: withoutClass(why),
    fix,
  });
}

function unlisted(member: string, name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return `${member} "${name}" is not registered in this process (commands: in the module that \`--import\` names); registered are ${known.join(', ') || 'none'}`;
}

/** The problem of a workflow that proposes with this input; `undefined` without a known one. */
function workflowProblem(
  workflows: WorkflowRegistry,
  { name, input }: Required<ProposingWorkflow>,
): string | undefined {
  const workflow = workflows.named(name);
  if (!workflow || workflow.internal) return `workflow "${name}" is not registered in this process`;
  const schema = workflow.versions[newestVersion(workflow)]?.input ?? {};
  const [problem] = checkValue(schema, { ...input, exits: [] }).errors.map(schemaProblem);
  if (problem) return `in the input of workflow "${name}" ${problem.path || '/'} ${problem.message}`;
  return textsIn(input).flatMap((text) => templateProblem(text)?.message ?? [])[0];
}
