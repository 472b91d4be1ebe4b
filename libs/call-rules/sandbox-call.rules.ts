import { type ActivityEvent, type ActivityRules, KeptMap } from '#lib/workflow';
import type { Json, JsonObject } from '#lib/kernel';
import { inputOf } from './call-input.js';
import {
  type SandboxCompleted,
  type SandboxError,
  type SandboxObject,
  type SandboxOutcome,
  type SandboxProgram,
  type SandboxSlice,
  type SandboxTrace,
  sandboxEventDefinitions,
} from './sandbox-call.events.js';
import type { ToolResult } from './tool-call.rules.js';

/** A slice with everything that it refers to. */
export interface WholeSlice {
  readonly program: SandboxProgram;
  /** The variables of the previous program; null for the first. */
  readonly variables: Json;
  /** The objects before the program. */
  readonly objects: readonly SandboxObject[];
  readonly outcomes: readonly ({ readonly call: number } & (
    | { readonly value?: Json; readonly registers?: true }
    | SandboxError
  ))[];
  /** The number of outcomes that earlier slices had; -1 for the first slice. */
  readonly known: number;
}

/** The slices and results of tools of a run, by their steps. */
export interface SandboxMemory {
  readonly slices: KeptMap<WholeSlice>;
  readonly variables: KeptMap<Json>;
  readonly results: KeptMap<ToolResult>;
  /** The objects after the newest slice. */
  readonly objects: readonly SandboxObject[];
}

const nothing: SandboxMemory = {
  slices: KeptMap.empty(),
  variables: KeptMap.empty(),
  results: KeptMap.empty(),
  objects: [],
};

/** Programs of models. Their slices may be run again, because they have no effect outside of the sandbox. */
export const sandboxRules: ActivityRules<SandboxMemory> = {
  name: 'sandbox',
  events: { requested: 'SandboxRequested', completed: 'SandboxCompleted', failed: 'SandboxFailed' },
  definitions: sandboxEventDefinitions,
  memory: { begin: () => nothing, evolve: remember },
  request: (input) => inputOf(input),
  checkIntegrity: () => undefined,
  isSafeToRepeat: () => true,
};

/** @throws TypeError if it refers to values that the run does not hold */
export function wholeSlice(request: JsonObject, memory: SandboxMemory): WholeSlice {
  const slice = request as SandboxSlice;
  if ('program' in slice) {
    const { program } = slice;
    const { variablesFrom } = program;
    const variables = variablesFrom === undefined ? null : (memory.variables.get(variablesFrom) ?? null);
    const { objects = memory.objects } = program;
    return { program, variables, objects, outcomes: [], known: -1 };
  }
  const before = memory.slices.get(slice.after);
  if (!before) throw new TypeError(`The run has no slice ${slice.after}.`);
  const added = slice.outcomes.map((outcome) => ('result' in outcome ? resultOf(outcome, memory) : outcome));
  return { ...before, outcomes: [...before.outcomes, ...added], known: before.outcomes.length };
}

function resultOf(outcome: Extract<SandboxOutcome, { readonly result: string }>, { results }: SandboxMemory) {
  const { call, result, registers } = outcome;
  const found = results.get(result);
  if (!found?.success) throw new TypeError(`The run has no result ${result}.`);
  return { call, ...(found.data !== undefined && { value: found.data }), ...(registers && { registers }) };
}

/** Total: a request with an unknown reference is left out. */
function remember(memory: SandboxMemory, { type, data }: ActivityEvent): SandboxMemory {
  const { stepId } = data;
  switch (type) {
    case 'ToolCallCompleted':
      return { ...memory, results: memory.results.with(stepId, data['result'] as ToolResult) };
    case 'SandboxRequested':
      return requested(memory, data);
    case 'SandboxCompleted':
      return completed(memory, data as SandboxCompleted['data']);
    default:
      return memory;
  }
}

function requested(memory: SandboxMemory, data: ActivityEvent['data']): SandboxMemory {
  const { after, stepId } = data;
  if (after !== undefined && !memory.slices.has(after as string)) return memory;
  const slice = wholeSlice(data, memory);
  const { objects = memory.objects } = (data as { program?: SandboxProgram }).program ?? {};
  return { ...memory, objects, slices: memory.slices.with(stepId, slice) };
}

function completed(memory: SandboxMemory, { stepId, traces, variables }: SandboxCompleted['data']) {
  const { objects } = memory;
  return {
    ...memory,
    objects: traces.reduce(written, objects),
    ...(variables !== undefined && { variables: memory.variables.with(stepId, variables) }),
  };
}

function written(objects: readonly SandboxObject[], trace: SandboxTrace): readonly SandboxObject[] {
  if (trace.type !== 'property') return objects;
  const { object, property, after: value = null } = trace;
  return objects.map((one) =>
    one.name === object
      ? {
          ...one,
          properties: one.properties.map((each) => (each.name === property ? { ...each, value } : each)),
        }
      : one,
  );
}
