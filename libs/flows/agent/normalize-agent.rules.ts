import { sha256 } from '#lib/kernel';
import type {
  Agent,
  AgentInput,
  Branch,
  BranchInput,
  Conditions,
  Flow,
  FlowInput,
  Instruction,
  InstructionInput,
  Signal,
  SignalInput,
  Step,
  StepInput,
} from './agent-definition.js';

const COMPACTION = { threshold: 0.8, preserveRecentCount: 4, maxToolResultChars: 5_000 };

/** The agent with ids and defaults. `inspectAgent` must find no problem in it. */
export function normalizeAgent({
  $schema: _,
  compaction,
  ...input
}: AgentInput & { readonly $schema?: string }): Agent {
  return {
    ...input,
    schema: input.schema ?? { type: 'object', properties: {} },
    initialData: input.initialData ?? {},
    instructions: (input.instructions ?? []).map(instruction),
    flows: input.flows.map(flow),
    signals: (input.signals ?? []).map(signal),
    signalBatchSize: input.signalBatchSize ?? 10,
    flowSwitchMargin: input.flowSwitchMargin ?? 15,
    maxAutoStepsPerTurn: input.maxAutoStepsPerTurn ?? 10,
    maxDirectiveChain: input.maxDirectiveChain ?? 10,
    maxToolLoops: input.maxToolLoops ?? 5,
    ...(compaction && { compaction: { ...COMPACTION, ...compaction } }),
  };
}

/** The id, else one derived from the title: the same after every start. */
export function flowId({ id, title }: Pick<FlowInput, 'id' | 'title'>): string {
  return id ?? idOf('flow', title, title);
}

/** The id, else one derived from the description and the flow, or from the place in the flow. */
export function stepId({ id, description }: StepInput, index: number, flow: string): string {
  if (id !== undefined) return id;
  return idOf('step', description ?? String(index + 1), `${flow}/${description ?? index + 1}`);
}

export function instructionId({ id, prompt }: InstructionInput): string {
  return id ?? idOf('instruction', prompt.slice(0, 24), prompt);
}

export function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

function idOf(kind: string, name: string, whole: string): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
  return [kind, words, sha256(whole).slice(0, 8)].filter((part) => part !== '').join('_');
}

function conditions({ when, if: predicates }: Conditions) {
  return { when: listOf(when), if: listOf(predicates) };
}

function flow({ onComplete, ...input }: FlowInput): Flow {
  const hooks = onComplete === undefined ? input.hooks : { ...input.hooks, onComplete: { goTo: onComplete } };
  const id = flowId(input);
  const ids = input.steps.map((one, index) => stepId(one, index, id));
  return {
    ...input,
    ...conditions(input),
    id,
    instructions: (input.instructions ?? []).map(instruction),
    requiredFields: input.requiredFields ?? [],
    optionalFields: input.optionalFields ?? [],
    steps: input.steps.map((one, index) => step(one, ids, index)),
    reentrant: input.reentrant ?? false,
    ...(hooks && { hooks }),
  };
}

function step(
  { branches, prepare, finalize, ...input }: StepInput,
  ids: readonly string[],
  index: number,
): Step {
  const following = ids.slice(index + 1, index + 2);
  const hooks = { ...input.hooks, ...(prepare && { prepare }), ...(finalize && { finalize }) };
  return {
    ...input,
    ...conditions(input),
    id: ids[index] ?? '',
    collect: input.collect ?? [],
    requires: input.requires ?? [],
    skip: listOf(input.skip),
    instructions: (input.instructions ?? []).map(instruction),
    ...(branches && { branches: branches.map(branch) }),
    next: input.next === undefined ? following : listOf(input.next),
    ...(Object.keys(hooks).length > 0 && { hooks }),
  };
}

function signal(input: SignalInput): Signal {
  const { behavior = 'always', enabled = true, priority = 0 } = input;
  return { ...input, ...conditions(input), behavior, enabled, priority };
}

function branch(input: BranchInput): Branch {
  return { ...input, ...conditions(input) };
}

function instruction(input: InstructionInput): Instruction {
  const { kind = 'should', enabled = true } = input;
  return { ...input, ...conditions(input), id: instructionId(input), kind, enabled };
}
