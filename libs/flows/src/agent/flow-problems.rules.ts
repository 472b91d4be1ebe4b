import { inspectSchema } from '#lib/json-schema';
import { isJsonObject, jsonText, type Problem } from '#lib/kernel';
import {
  type BranchInput,
  type FlowInput,
  flowNamed,
  type InstructionInput,
  type StepInput,
} from './agent-definition.js';
import { below, duplicates, templateProblems, unknownFields } from './agent-problems.rules.js';
import { directiveProblems, type DirectiveScope } from './directive-problems.rules.js';
import { toolIdOf, type ToolUse } from './hook-definition.js';
import { instructionId, listOf } from './normalize-agent.rules.js';

interface FlowScope extends DirectiveScope {
  readonly fields: readonly string[];
  readonly flow: { readonly id: string; readonly steps: readonly { readonly id: string }[] };
}

/** The problems of a flow of the right shape. */
export function flowProblems(flow: FlowInput, scope: FlowScope, base: string): readonly Problem[] {
  const { onComplete, routingExtrasSchema = {}, responseOutputSchema = {} } = flow;
  const ids = scope.flow.steps.map(({ id }) => id);
  return [
    ...instructionProblems(flow.instructions, scope.fields, `${base}/instructions`),
    ...duplicates(ids, (index) => `${base}/steps/${index}`, 'step id'),
    ...toolProblems(flow.tools, `${base}/tools`),
    ...(onComplete === undefined || flowNamed(scope.flows, onComplete)
      ? []
      : [{ path: `${base}/onComplete`, message: `names no flow: ${jsonText(onComplete)}` }]),
    ...below(`${base}/routingExtrasSchema`, inspectSchema(routingExtrasSchema)),
    ...below(`${base}/responseOutputSchema`, inspectSchema(responseOutputSchema)),
    ...doubled(flow, ['onComplete'], base),
    ...hookProblems(flow.hooks, ['onEnter', 'onComplete'], scope, `${base}/hooks`),
    ...flow.steps.flatMap((step, index) => stepProblems(step, scope, `${base}/steps/${index}`)),
  ];
}

export function instructionProblems(
  instructions: readonly InstructionInput[] = [],
  fields: readonly string[],
  base: string,
): readonly Problem[] {
  return [
    ...duplicates(instructions.map(instructionId), (index) => `${base}/${index}/id`, 'instruction id'),
    ...instructions.flatMap(({ prompt }, index) =>
      templateProblems(prompt, fields, `${base}/${index}/prompt`),
    ),
  ];
}

/** A tool stands once in its scope; an inner scope may name it again. */
export function toolProblems(tools: readonly ToolUse[] = [], base: string): readonly Problem[] {
  return duplicates(tools.map(toolIdOf), (index) => `${base}/${index}`, 'tool id');
}

function stepProblems(step: StepInput, scope: FlowScope, base: string): readonly Problem[] {
  const { fields, flow } = scope;
  const following = listOf(step.next);
  return [
    ...mixedKinds(step, base),
    ...unknownFields(step.collect, fields, `${base}/collect`),
    ...unknownFields(step.requires, fields, `${base}/requires`),
    ...templateProblems(step.prompt, fields, `${base}/prompt`),
    ...templateProblems(step.reply, fields, `${base}/reply`),
    ...instructionProblems(step.instructions, fields, `${base}/instructions`),
    ...toolProblems(step.tools, `${base}/tools`),
    ...following.flatMap((id) =>
      flow.steps.some((one) => one.id === id)
        ? []
        : [{ path: `${base}/next`, message: `names no step of the flow: ${jsonText(id)}` }],
    ),
    ...doubled(step, ['prepare', 'finalize'], base),
    ...hookProblems(step, ['prepare', 'finalize'], scope, base),
    ...hookProblems(step.hooks, ['onEnter', 'prepare', 'finalize'], scope, `${base}/hooks`),
    ...branchProblems(step.branches ?? [], scope, `${base}/branches`),
  ];
}

type Hooks = { readonly [name: string]: unknown };

/** The problems of those hooks that are directives. */
export function hookProblems(
  hooks: object | undefined,
  names: readonly string[],
  scope: DirectiveScope,
  base: string,
): readonly Problem[] {
  return names.flatMap((name) => {
    const hook = (hooks as Hooks | undefined)?.[name];
    return isJsonObject(hook) && hook['fn'] === undefined
      ? directiveProblems(hook, scope, `${base}/${name}`)
      : [];
  });
}

/** A hook stands in one place. */
function doubled(
  part: { readonly hooks?: object },
  names: readonly string[],
  base: string,
): readonly Problem[] {
  const both = names.filter(
    (name) => (part as Hooks)[name] !== undefined && (part.hooks as Hooks | undefined)?.[name] !== undefined,
  );
  return both.map((name) => ({ path: `${base}/${name}`, message: `stands in hooks too: keep one of them` }));
}

/** A step asks the model, is passed, or says its reply. */
function mixedKinds(step: StepInput, base: string): readonly Problem[] {
  const kind = step.auto ? 'auto' : step.reply === undefined ? undefined : 'reply';
  if (!kind) return [];
  const excluded = (['prompt', 'collect', 'tools', 'finalize', 'reply'] as const).filter(
    (name) => name !== kind,
  );
  const hooked = step.hooks?.finalize === undefined ? [] : [`${base}/hooks/finalize`];
  const standing = excluded
    .filter((name) => step[name] !== undefined && jsonText(step[name]) !== '[]')
    .map((name) => `${base}/${name}`);
  return [...standing, ...hooked].map((path) => ({ path, message: `cannot stand in a step with ${kind}` }));
}

function branchProblems(
  branches: readonly BranchInput[],
  scope: FlowScope,
  base: string,
): readonly Problem[] {
  return branches.flatMap((branch, index) => [
    ...(isFallback(branch) && index < branches.length - 1
      ? [{ path: `${base}/${index}`, message: 'has no condition: only the last branch may apply always' }]
      : []),
    ...targetProblems(branch.then, scope, `${base}/${index}/then`),
  ]);
}

function isFallback({ when, if: predicates }: BranchInput): boolean {
  return listOf(when).length === 0 && listOf(predicates).length === 0;
}

function targetProblems(then: BranchInput['then'], scope: FlowScope, path: string): readonly Problem[] {
  if (typeof then !== 'string') return directiveProblems(then, scope, path);
  const isKnown = scope.flow.steps.some(({ id }) => id === then) || flowNamed(scope.flows, then);
  return isKnown ? [] : [{ path, message: `names no step of the flow and no flow: ${jsonText(then)}` }];
}
