import type { DeclaredMembers, EventDefinitions } from '#lib/event-store';
import type { Event, Json, JsonDifference, JsonObject, Rejection } from '#lib/kernel';

/**
 * The pure rules of an activity: they belong to the version of the workflows that use it. Replay runs them again and compares, also in a process
 * that could not make the calls.
 */
export interface ActivityRules<Memory = unknown> {
  readonly name: string;
  /** The three event types of the activity. No other activity has them. */
  readonly events: { readonly requested: string; readonly completed: string; readonly failed: string };
  readonly definitions: EventDefinitions;
  /** The values that requests may refer to instead of copying them: the run's start, and data of its earlier calls. */
  readonly memory?: ActivityMemory<Memory>;
  /** Data of the request event for a step's input. */
  request(input: Json, memory: Memory): JsonObject;
  /** The first member of an outcome that contradicts another one, such as a checksum over other bytes. Pointers start at `/data`. */
  checkIntegrity(outcome: Event): JsonDifference | undefined;
  /** Numbers in the content of a completed outcome. A run about a subject records them beside the content, as structure. */
  keptAfterErasure?(completed: JsonObject): JsonObject;
  /** Whether a call with an unknown outcome may be made again. */
  isSafeToRepeat(request: JsonObject): boolean;
}

/**
 * A kind of call to the outside world: a model, a webhook, a function, a tool, a sandbox. A workflow names it in a step; the runtime records the
 * request, has it performed, and records the outcome. The activity does not know the workflow.
 */
export interface Activity<Memory = unknown> extends ActivityRules<Memory> {
  /** The pool whose slot the call takes. Default: one pool for all calls of the activity, with the runtime's limit. */
  readonly pool?: (request: JsonObject) => CallPool;
  /**
   * The reason why this process cannot perform the request, such as a missing key or an unregistered function. It is asked for before the
   * request is recorded.
   */
  preflight(request: JsonObject): Rejection | undefined;
  /**
   * Makes at most one call. A failure of the outside world is an outcome; an exception is a bug and is recorded as such. After the signal
   * aborts, the promise settles soon: with the outcome if the activity has one, else with a failure of kind `interrupted`.
   * @param memory after the request, and maybe after later events
   */
  perform(request: JsonObject, context: CallContext, memory: Memory): Promise<Outcome>;
  /**
   * Present if completed outcomes follow from the request alone. Replay performs the request again and compares.
   * @param signal bounds the time of the whole replay
   * @returns the data of the outcome that this build gives; `undefined` if another build made the recorded outcome, if this process cannot
   * perform the request (a package is missing), or if the signal aborted
   */
  recompute?(
    request: JsonObject,
    completed: JsonObject,
    memory: Memory,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined>;
}

/** A limit that calls share: the number of them that a process has open at once. */
export interface CallPool {
  readonly name: string;
  readonly limit: number;
}

export interface ActivityMemory<Memory> {
  begin(given: RunGiven): Memory;
  /** Total. Gets the events of every activity of one run, in order. Absent if the memory never changes. */
  evolve?(memory: Memory, event: ActivityEvent): Memory;
}

/** The values of a run before its first call. */
export interface RunGiven {
  readonly input: Json;
  /** The facts of the run's start, by name. */
  readonly facts: Json;
  /** The run's context from another stream; null if it uses none. */
  readonly context: Json;
}

export interface CallContext {
  readonly runId: string;
  /** The step of this attempt. No two requests of a run have the same step. */
  readonly stepId: string;
  /** Aborts when the run is cancelled, its lease is lost, or the process stops. */
  readonly signal: AbortSignal;
  /** Shows a part of the reply while it is received. For display only, never recorded. */
  emit(this: void, text: string): void;
}

/** The data of an outcome event. */
export type Outcome =
  | { readonly completed: JsonObject }
  | { readonly failed: JsonObject & { readonly failure: ActivityFailure } };

/** The failure of a call. */
export type ActivityFailure = {
  /** Kebab case, from the activity. The runtime adds `interrupted` (the outcome is unknown) and `internal` (a bug). */
  readonly kind: string;
  readonly message: string;
  /** Whether the same call may be made again. For `interrupted`: whether the activity declares that safe. */
  readonly retryable: boolean;
  /** The wait before the next attempt, if the other side named one. */
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

/** A request or outcome, as a run's stream holds it: the activity's data with the id of its step. */
export type ActivityEvent = Event<string, JsonObject & { readonly stepId: string }>;
