// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import type { DeclaredEvents } from '#lib/event-store';
import { type ActivityFailure, activityFailureMembers } from '#lib/workflow';
import type { Event, Json, JsonObject } from '#lib/kernel';

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
export type SandboxError = { readonly error: string; readonly code?: string };

/** The outcome of a call of the program, by the call's place among its calls, from 0. */
export type SandboxOutcome = { readonly call: number } & (
  | ({ readonly value?: Json } & Registering)
  /** The step of the tool's call whose result it is, and the SHA-256 of its data: a record that was changed since is found. */
  | ({ readonly result: string; readonly sha256: string } & Registering)
  | SandboxError
);

/** With `registers`, each item of the value's member `sources` is registered as by `cite`, and the program gets its tag in its place. */
type Registering = { readonly registers?: true };

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

/** The error of the program, with its line if that is known. */
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
