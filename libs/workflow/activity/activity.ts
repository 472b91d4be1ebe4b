import type { DeclaredMembers, EventDefinitions } from '#lib/event-store';
import type { Event, Json, JsonDifference, JsonObject, Rejection } from '#lib/kernel';

/**
 * The pure rules of an activity: they belong to the version of the workflows that use it. Replay runs them again and compares, in a
 * process that could not make the calls.
 */
export interface ActivityRules<Memory = unknown> {
  readonly name: string;
  /** One triple of event types for each activity; no other activity has them. */
  readonly events: { readonly requested: string; readonly completed: string; readonly failed: string };
  readonly definitions: EventDefinitions;
  /** The values that requests may refer to in place of a copy: the run's start, and data of its earlier calls. */
  readonly memory?: ActivityMemory<Memory>;
  /** Data of the request event for a step's input. */
  request(input: Json, memory: Memory): JsonObject;
  /** The first member of an outcome that contradicts another: a checksum over other bytes. Pointers start at `/data`. */
  checkIntegrity(outcome: Event): JsonDifference | undefined;
  /** Numbers in the content of a completed outcome. A run about a subject records them beside the content, as structure. */
  keptAfterErasure?(completed: JsonObject): JsonObject;
  /** Whether a call with an unknown outcome may be made again. */
  isSafeToRepeat(request: JsonObject): boolean;
}

/**
 * A kind of call to the outside world: a model, a webhook, a function, a tool, a sandbox. It knows no workflow: a workflow
 * names it in a step, and the runtime records the request, has it performed, and records the outcome.
 */
export interface Activity<Memory = unknown> extends ActivityRules<Memory> {
  /** The pool whose slot the call takes. Default: one pool for all calls of the activity, with the runtime's limit. */
  readonly pool?: (request: JsonObject) => CallPool;
  /** Why this process cannot perform the request: a missing key, an unregistered function. Asked before it is recorded. */
  preflight(request: JsonObject): Rejection | undefined;
  /**
   * Makes at most one call. A failure of the outside world is an outcome; an exception is a bug and is recorded as such. After the
   * signal it answers soon: with the outcome if it has one, else with a failure of kind `interrupted`.
   * @param memory after the request, and maybe after later events
   */
  perform(request: JsonObject, context: CallContext, memory: Memory): Promise<Outcome>;
  /**
   * Only of an activity whose completed outcomes follow from the request: replay performs it again and compares.
   * @param signal bounds the time of the whole replay
   * @returns the data of the outcome as this build gives it; `undefined` if another build made the recorded one, or if this
   * process cannot perform it: a package is missing, the signal came
   */
  recompute?(
    request: JsonObject,
    completed: JsonObject,
    memory: Memory,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
}

/** Calls that share a limit: how many a process has open at once. */
export interface CallPool {
  readonly name: string;
  readonly limit: number;
}

export interface ActivityMemory<Memory> {
  begin(given: RunGiven): Memory;
  /** Total; sees the events of every activity of one run, in order. Absent if the memory stays as it began. */
  evolve?(memory: Memory, event: ActivityEvent): Memory;
}

/** The values of a run before its first call. */
export interface RunGiven {
  readonly input: Json;
  /** The facts of its start, by name. */
  readonly facts: Json;
  /** Its context from another stream; null if it uses none. */
  readonly context: Json;
}

export interface CallContext {
  readonly runId: string;
  /** The step of this attempt: no two requests of a run have the same. */
  readonly stepId: string;
  /** Aborts when the run is cancelled, its lease is lost, or the process stops. */
  readonly signal: AbortSignal;
  /** Shows a part of the reply while it is received. Display only: never recorded. */
  emit(this: void, text: string): void;
}

/** Data of the outcome event. */
export type Outcome =
  | { readonly completed: JsonObject }
  | { readonly failed: JsonObject & { readonly failure: ActivityFailure } };

/** Why a call failed. */
export type ActivityFailure = {
  /** Kebab case, from the activity. The runtime adds `interrupted` (the outcome is unknown) and `internal` (a bug). */
  readonly kind: string;
  readonly message: string;
  /** Whether the same call may be made again. For `interrupted`: whether the activity declares that safe. */
  readonly retryable: boolean;
  /** How long to wait before that, if the other side said so. */
  readonly retryAfterMs?: number;
  readonly durationMs: number;
};

export const activityFailureMembers = {
  kind: 'structure',
  message: 'content',
  retryable: 'structure',
  retryAfterMs: 'structure',
  durationMs: 'structure',
} as const satisfies DeclaredMembers<ActivityFailure>;

/** Requests and outcomes as a run's stream holds them: the activity's data, and the step they belong to. */
export type ActivityEvent = Event<string, JsonObject & { readonly stepId: string }>;
