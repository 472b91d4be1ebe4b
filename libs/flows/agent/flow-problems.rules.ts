import { inspectSchema } from '#lib/json-schema';
import { below, isJsonObject, jsonText, type Problem } from '#lib/kernel';
import {
  type BranchInput,
  type FlowInput,
  flowNamed,
  type InstructionInput,
  type StepInput,
} from './agent-definition.js';
import { duplicates, ofEach, templateProblems, unknownFields } from './agent-problems.rules.js';
import { dataProblems } from './data.rules.js';
import { directiveProblems, type DirectiveScope } from './directive-problems.rules.js';
import { toolIdOf, type ToolUse } from './hook-definition.js';
import { instructionId, listOf } from './normalize-agent.rules.js';

interface FlowScope extends DirectiveScope {
  readonly fields: readonly string[];
  readonly flow: { readonly id: string; readonly steps: readonly { readonly id: string }[] };
}

/** The problems of a flow of the right shape. */
export function flowProblems(flow: FlowInput, scope: FlowScope): readonly Problem[] {
  const { onComplete, initialData = {}, routingExtrasSchema = {}, responseOutputSchema = {} } = flow;
  const ids = scope.flow.steps.map(({ id }) => id);
  return [
    ...below('/initialData', dataProblems(scope.schema, initialData)),
    ...below('/requiredFields', unknownFields(flow.requiredFields, scope.fields)),
    ...below('/optionalFields', unknownFields(flow.optionalFields, scope.fields)),
    ...below('/instructions', instructionProblems(flow.instructions, scope.fields)),
    ...below('/steps', duplicates(ids, 'step id')),
    ...below('/tools', toolProblems(flow.tools)),
    ...(onComplete === undefined || flowNamed(scope.flows, onComplete)
      ? []
      : [{ path: '/onComplete', message: `names no flow: ${jsonText(onComplete)}` }]),
    ...below('/routingExtrasSchema', inspectSchema(routingExtrasSchema)),
    ...below('/responseOutputSchema', inspectSchema(responseOutputSchema)),
    ...doubled(flow, ['onComplete']),
    ...below('/hooks', hookProblems(flow.hooks, ['onEnter', 'onComplete'], scope)),
    ...below(
      '/steps',
      ofEach(flow.steps, (step) => stepProblems(step, scope)),
    ),
  ];
}

export function instructionProblems(
  instructions: readonly InstructionInput[] = [],
  fields: readonly string[],
): readonly Problem[] {
  return [
    ...duplicates(instructions.map(instructionId), 'instruction id', '/id'),
    ...ofEach(instructions, ({ prompt }) => below('/prompt', templateProblems(prompt, fields))),
  ];
}

/** The problems of a scope's tools: each may occur once. An inner scope may name a tool again. */
export function toolProblems(tools: readonly ToolUse[] = []): readonly Problem[] {
  return duplicates(tools.map(toolIdOf), 'tool id');
}

function stepProblems(step: StepInput, scope: FlowScope): readonly Problem[] {
  const { fields, flow } = scope;
  const unknown = listOf(step.next).filter((id) => !flow.steps.some((one) => one.id === id));
  return [
    ...mixedKinds(step),
    ...below('/collect', unknownFields(step.collect, fields)),
    ...below('/requires', unknownFields(step.requires, fields)),
    ...below('/prompt', templateProblems(step.prompt, fields)),
    ...below('/reply', templateProblems(step.reply, fields)),
    ...below('/instructions', instructionProblems(step.instructions, fields)),
    ...below('/tools', toolProblems(step.tools)),
    ...unknown.map((id) => ({ path: '/next', message: `names no step of the flow: ${jsonText(id)}` })),
    ...doubled(step, ['prepare', 'finalize']),
    ...hookProblems(step, ['prepare', 'finalize'], scope),
    ...below('/hooks', hookProblems(step.hooks, ['onEnter', 'prepare', 'finalize'], scope)),
    ...below('/branches', branchProblems(step.branches ?? [], scope)),
  ];
}

type Hooks = { readonly [name: string]: unknown };

/** The problems of hooks that are directives. */
export function hookProblems(
  hooks: object | undefined,
  names: readonly string[],
  scope: DirectiveScope,
): readonly Problem[] {
  return names.flatMap((name) => {
    const hook = (hooks as Hooks | undefined)?.[name];
    const isDirective = isJsonObject(hook) && hook['fn'] === undefined;
    return isDirective ? below(`/${name}`, directiveProblems(hook, scope)) : [];
  });
}

/** A hook is given as a member or in `hooks`, and not in both. */
function doubled(part: { readonly hooks?: object }, names: readonly string[]): readonly Problem[] {
  const both = names.filter(
    (name) => (part as Hooks)[name] !== undefined && (part.hooks as Hooks | undefined)?.[name] !== undefined,
  );
  return both.map((name) => ({ path: `/${name}`, message: `stands in hooks too: keep one of them` }));
}

/** A step does one of three: it asks the model, is passed, or sends its reply. */
function mixedKinds(step: StepInput): readonly Problem[] {
  const kind = step.auto ? 'auto' : step.reply === undefined ? undefined : 'reply';
  if (!kind) return [];
  const standing = (['prompt', 'collect', 'tools', 'finalize', 'reply'] as const)
    .filter((name) => name !== kind && step[name] !== undefined && jsonText(step[name]) !== '[]')
    .map((name) => `/${name}`);
  const hooked = step.hooks?.finalize === undefined ? [] : ['/hooks/finalize'];
  return [...standing, ...hooked].map((path) => ({ path, message: `cannot stand in a step with ${kind}` }));
}

function branchProblems(branches: readonly BranchInput[], scope: FlowScope): readonly Problem[] {
  const message = 'has no condition: only the last branch may apply always';
  return ofEach(branches, (branch, index) => [
    ...(isFallback(branch) && index < branches.length - 1 ? [{ path: '', message }] : []),
    ...below('/then', targetProblems(branch.then, scope)),
  ]);
}

function isFallback({ when, if: predicates }: BranchInput): boolean {
  return listOf(when).length === 0 && listOf(predicates).length === 0;
}

function targetProblems(then: BranchInput['then'], scope: FlowScope): readonly Problem[] {
  if (typeof then !== 'string') return directiveProblems(then, scope);
  const isKnown = scope.flow.steps.some(({ id }) => id === then) || flowNamed(scope.flows, then);
  return isKnown ? [] : [{ path: '', message: `names no step of the flow and no flow: ${jsonText(then)}` }];
}
