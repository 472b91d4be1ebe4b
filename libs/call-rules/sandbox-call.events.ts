// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import { type ActivityFailure, activityFailureMembers } from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';

/** The limits of one program. All but `timeMs` are reached at the same place on every machine. */
export type SandboxLimits = {
  /** One tick is about ten thousand loop turns or calls of the program. */
  readonly ticks: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  /** The running time of one slice. It bounds native work, which ticks do not count. */
  readonly timeMs: number;
};

/** Values that a program reads by name, and writes if they are writable. */
export type SandboxObject = { readonly name: string; readonly properties: readonly SandboxProperty[] };

type SandboxProperty = {
  readonly name: string;
  readonly value: Json;
  /** Default: false. */
  readonly writable?: boolean;
  /** The JSON Schema of written values. */
  readonly schema?: JsonObject | boolean;
};

/** A program that a model wrote, and all values that it can use. */
export type SandboxProgram = {
  /** TypeScript or TSX. */
  readonly code: string;
  /** The names of the async functions that it may call. `object.name` is a function of an object. */
  readonly tools: readonly string[];
  /** The objects of the first program of a run. A later program gets them as the one before left them. */
  readonly objects?: readonly SandboxObject[];
  /** The time that `Date.now()` returns, ISO 8601. */
  readonly clock: string;
  /** The seed of `Math.random`. */
  readonly seed: string;
  readonly limits: SandboxLimits;
  /** Components, by their names in the program. If there are any, a `yield` is a call of `yield`. */
  readonly components?: { readonly [name: string]: string };
  /** The id of the next `cite(source)`. If set, the program has that function. */
  readonly sources?: number;
  /** The last slice of the previous program, which holds its variables. */
  readonly variablesFrom?: string;
};

/** The `Error` that a call throws: its message and its `code`. */
export type SandboxError = { readonly error: string; readonly code?: string };

/** The outcome of a call of the program, by the index of the call, from 0. */
export type SandboxOutcome = { readonly call: number } & (
  | ({ readonly value?: Json } & Registering)
  /** The step of the tool call that gave the result, and the SHA-256 of its data, by which a later change of the record is found. */
  | ({ readonly result: string; readonly sha256: string } & Registering)
  | SandboxError
);

/** With `registers`, each item of the value's member `sources` is registered as by `cite`, and the program gets its tag instead of the item. */
type Registering = { readonly registers?: true };

/**
 * The input of a call, from its step: a program, or the outcomes since an earlier slice of it. A slice runs the program from its beginning with all
 * outcomes so far, until it waits or ends.
 */
export type SandboxSlice =
  | { readonly program: SandboxProgram }
  | { readonly after: string; readonly outcomes: readonly SandboxOutcome[] };

/** An act of a program that is not a call: a comment, a log, a yield, a write of a property. */
export type SandboxTrace = { readonly type: string } & JsonObject;

/** The end of a program. */
export type SandboxEnd =
  | { readonly kind: 'returned'; readonly value?: Json }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      /** The line in the code as the model wrote it, from 1. */
      readonly line?: number;
      readonly stack?: string;
    }
  /** The text is not a program. */
  | { readonly kind: 'invalid'; readonly message: string; readonly line?: number }
  | { readonly kind: 'limit'; readonly limit: string; readonly message: string };

/** The error of the program, with its line if that is known. */
export function problemIn(end: Exclude<SandboxEnd, { readonly kind: 'returned' }>): string {
  const what = end.kind === 'threw' ? `${end.name}: ${end.message}` : end.message;
  const line = end.kind === 'limit' ? undefined : end.line;
  return line === undefined ? what : `${what} (line ${line})`;
}

/** A call that a program makes: the name of the function, and its input. */
export type SandboxCall = { readonly tool: string; readonly input: Json };

/** The result of a slice, without the results of the slices before. */
export type SandboxResult = {
  /** Engine, compiler and bridge, with their versions. Another build may give another result. */
  readonly build: string;
  readonly calls: readonly SandboxCall[];
  readonly traces: readonly SandboxTrace[];
  /** The ticks of the whole program so far. */
  readonly ticks: number;
  /** Absent while the program waits for its calls. */
  readonly end?: SandboxEnd;
  /** The whole variables, at the end: see `shownVariables` of the lib `code`. */
  readonly variables?: Json;
};

export type SandboxRequested = Event<'SandboxRequested', { readonly stepId: string } & SandboxSlice>;
/** The result of a slice. Replay computes it again. */
export type SandboxCompleted = Event<
  'SandboxCompleted',
  { readonly stepId: string; readonly durationMs: number } & SandboxResult
>;
/** `time-limit`: the slice ran for `timeMs`. `too-deep`: it overflowed the stack of its thread. The slice was stopped, and has no result. */
export type SandboxFailed = Event<
  'SandboxFailed',
  { readonly stepId: string; readonly failure: ActivityFailure }
>;

/** The event catalogue's entries: the current schema version of each type, and the kinds of its members. */
export const sandboxEventDefinitions: DeclaredEvents<SandboxRequested | SandboxCompleted | SandboxFailed> = {
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
          registers: 'structure',
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
