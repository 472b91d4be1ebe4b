// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import {
  type ActivityEvent,
  type ActivityFailure,
  activityFailureMembers,
  type ActivityRules,
} from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';
import { inputOf } from './call-input.js';
import type { ToolResult } from './tool-call.rules.js';

/** The limits of one program. All but `timeMs` are reached at the same place on every machine. */
export type SandboxLimits = {
  /** One for about ten thousand loop turns or calls of the program. */
  readonly ticks: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** Running time of one slice. Bounds native work, which ticks do not count. */
  readonly timeMs: number;
};

/** Values that a program reads by name, and writes where it may. */
export type SandboxObject = { readonly name: string; readonly properties: readonly SandboxProperty[] };

type SandboxProperty = {
  readonly name: string;
  readonly value: Json;
  /** Default: false. */
  readonly writable?: boolean;
  /** JSON Schema of what is written. */
  readonly schema?: JsonObject | boolean;
};

/** A program that a model wrote, and all that it can see. */
export type SandboxProgram = {
  /** TypeScript or TSX. */
  readonly code: string;
  /** Names of the async functions that it may call; `object.name` is a function of an object. */
  readonly tools: readonly string[];
  /** The objects of the first program of a run: a later one sees them as those before it left them. */
  readonly objects?: readonly SandboxObject[];
  /** The time that `Date.now()` returns, ISO 8601. */
  readonly clock: string;
  /** The seed of `Math.random`. */
  readonly seed: string;
  readonly limits: SandboxLimits;
  /** Components by the names that the program has for them. With them a `yield` is a call of `yield`. */
  readonly components?: { readonly [name: string]: string };
  /** The id of the next `cite(source)`. With it the program has that function. */
  readonly sources?: number;
  /** The last slice of the program before, which holds its variables. */
  readonly variablesFrom?: string;
};

/** The `Error` that a call throws: its message and its `code`. */
type SandboxError = { readonly error: string; readonly code?: string };

/** The outcome of a call of the program, by the call's place among its calls, from 0. */
export type SandboxOutcome = { readonly call: number } & (
  | { readonly value?: Json }
  /** The step of the tool's call whose result it is, and the SHA-256 of its data: a record that was changed since is found. */
  | { readonly result: string; readonly sha256: string }
  | SandboxError
);

/**
 * The input of a call, from its step: a program, or what came since an earlier slice of it. A slice runs the program from its
 * beginning with all outcomes so far, up to where it waits or ends.
 */
export type SandboxSlice =
  | { readonly program: SandboxProgram }
  | { readonly after: string; readonly outcomes: readonly SandboxOutcome[] };

/** An act of a program that is not a call: a comment, a log, a yield, a write of a property. */
export type SandboxTrace = { readonly type: string } & JsonObject;

/** How a program ended. */
export type SandboxEnd =
  | { readonly kind: 'returned'; readonly value?: Json }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      /** In the code as the model wrote it, from 1. */
      readonly line?: number;
      readonly stack?: string;
    }
  /** It is not a program. */
  | { readonly kind: 'invalid'; readonly message: string; readonly line?: number }
  | { readonly kind: 'limit'; readonly limit: string; readonly message: string };

/** What went wrong, with its line. */
export function problemIn(end: Exclude<SandboxEnd, { readonly kind: 'returned' }>): string {
  const what = end.kind === 'threw' ? `${end.name}: ${end.message}` : end.message;
  const line = end.kind === 'limit' ? undefined : end.line;
  return line === undefined ? what : `${what} (line ${line})`;
}

/** A call that a program makes: the name of the function, and what it was given. */
export type SandboxCall = { readonly tool: string; readonly input: Json };

/** The result of a slice: what it adds to the slices before it. */
export type SandboxResult = {
  /** Engine, compiler and bridge, with their versions: another build may give another result. */
  readonly build: string;
  readonly calls: readonly SandboxCall[];
  readonly traces: readonly SandboxTrace[];
  /** The ticks of the whole program so far. */
  readonly ticks: number;
  /** Absent while the program waits for its calls. */
  readonly end?: SandboxEnd;
  /** At the end, whole: see `shownVariables` of the lib `code`. */
  readonly variables?: Json;
};

export type SandboxRequested = Event<'SandboxRequested', { readonly stepId: string } & SandboxSlice>;
/** The result of a slice. Replay computes it again. */
export type SandboxCompleted = Event<
  'SandboxCompleted',
  { readonly stepId: string; readonly durationMs: number } & SandboxResult
>;
/** `time-limit`: the slice ran for `timeMs`, `too-deep`: it overflowed the stack of its thread; it was stopped, and yields nothing. */
export type SandboxFailed = Event<
  'SandboxFailed',
  { readonly stepId: string; readonly failure: ActivityFailure }
>;

const definitions: DeclaredEvents<SandboxRequested | SandboxCompleted | SandboxFailed> = {
  SandboxRequested: {
    version: 1,
    members: {
      stepId: 'structure',
      program: {
        code: 'content',
        tools: 'structure',
        objects: 'content',
        clock: 'structure',
        seed: 'structure',
        limits: {
          ticks: 'structure',
          memoryBytes: 'structure',
          stackBytes: 'structure',
          timeMs: 'structure',
        },
        components: 'structure',
        sources: 'structure',
        variablesFrom: 'structure',
      },
      after: 'structure',
      outcomes: [
        {
          call: 'structure',
          value: 'content',
          result: 'structure',
          sha256: 'derived',
          error: 'content',
          code: 'content',
        },
      ],
    },
  },
  SandboxCompleted: {
    version: 1,
    members: {
      stepId: 'structure',
      durationMs: 'structure',
      build: 'structure',
      calls: [{ tool: 'structure', input: 'content' }],
      traces: 'content',
      ticks: 'structure',
      end: {
        kind: 'structure',
        value: 'content',
        name: 'content',
        message: 'content',
        line: 'structure',
        stack: 'content',
        limit: 'structure',
      },
      variables: 'content',
    },
  },
  SandboxFailed: { version: 1, members: { stepId: 'structure', failure: activityFailureMembers } },
};

/** A slice with everything that it refers to. */
export interface WholeSlice {
  readonly program: SandboxProgram;
  /** The variables of the program before; null for the first. */
  readonly variables: Json;
  /** As they were before the program. */
  readonly objects: readonly SandboxObject[];
  readonly outcomes: readonly ({ readonly call: number } & ({ readonly value?: Json } | SandboxError))[];
  /** How many of the outcomes earlier slices had; -1 for the first slice. */
  readonly known: number;
}

/** The slices and results of tools of a run, by their steps. */
export interface SandboxMemory {
  readonly slices: ReadonlyMap<string, WholeSlice>;
  readonly variables: ReadonlyMap<string, Json>;
  readonly results: ReadonlyMap<string, ToolResult>;
  /** As they are now. */
  readonly objects: readonly SandboxObject[];
}

const nothing: SandboxMemory = {
  slices: new Map(),
  variables: new Map(),
  results: new Map(),
  objects: [],
};

/** Programs of models. Their slices may be run again: they do nothing outside the sandbox. */
export const sandboxRules: ActivityRules<SandboxMemory> = {
  name: 'sandbox',
  events: { requested: 'SandboxRequested', completed: 'SandboxCompleted', failed: 'SandboxFailed' },
  definitions,
  memory: { begin: () => nothing, evolve: remember },
  request: (input) => inputOf(input),
  checkIntegrity: () => undefined,
  isSafeToRepeat: () => true,
};

/** @throws TypeError if it refers to what the run does not hold */
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

function resultOf({ call, result }: { call: number; result: string }, { results }: SandboxMemory) {
  const found = results.get(result);
  if (!found?.success) throw new TypeError(`The run has no result ${result}.`);
  return { call, ...(found.data !== undefined && { value: found.data }) };
}

/** Total: a request that refers to nothing known is left out. */
function remember(memory: SandboxMemory, { type, data }: ActivityEvent): SandboxMemory {
  const { stepId } = data;
  switch (type) {
    case 'ToolCallCompleted':
      return { ...memory, results: new Map(memory.results).set(stepId, data['result'] as ToolResult) };
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
  return { ...memory, objects, slices: new Map(memory.slices).set(stepId, slice) };
}

function completed(memory: SandboxMemory, { stepId, traces, variables }: SandboxCompleted['data']) {
  const { objects } = memory;
  return {
    ...memory,
    objects: traces.reduce(written, objects),
    ...(variables !== undefined && { variables: new Map(memory.variables).set(stepId, variables) }),
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
