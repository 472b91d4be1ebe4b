import type { ActivityEvent } from './activity/activity.js';
import type { PeoplePolicy } from '#lib/candidates';
import type { EventDefinitions, StreamHistory } from '#lib/event-store';
import type { Event, Json, Problem } from '#lib/kernel';
import type { Failure, JsonSchema, UsedStream } from './run-values.js';
import type { RuntimeEvent, WorkflowStarted } from './runtime.events.js';

/** A durable computation whose only memory is its history. */
export interface Workflow<State = unknown, E extends Event = Event> {
  /** The category of its streams and its key in the registry: a lower-case letter, then letters, digits and underscores. */
  readonly name: string;
  /** Its runs can be read from outside. Only the engine starts, signals and cancels them. */
  readonly internal?: boolean;
  readonly events?: EventDefinitions<E>;
  /** The start event names the version that a run follows to its end. New runs take the highest. */
  readonly versions: Readonly<Record<number, Rules<State, E>>>;
}

/**
 * One version of a workflow. Pure: no clock, no randomness, no I/O. The rules use only the start event, the context it refers to, and the events
 * after it, so replay asks the same questions and must get the same answers.
 */
export interface Rules<State = unknown, E extends Event = Event> {
  readonly input: JsonSchema;
  /** The problems of an input that fits the schema. A run whose input has problems is not started. */
  problemsOf?(input: Json): readonly Problem[];
  /** Facts that the start event must hold besides the input. */
  readonly facts?: readonly FactName[];
  /** The input of the sources of facts. Default: the input of the run. */
  factsInput?(input: Json): Json;
  /**
   * The part of another stream that the run uses, such as a session's history up to the start. States that it asks for (`history.state`) are folded
   * once, however many runs use the stream: it must not change them, and must give the same folding object at each call.
   */
  contextOf?(history: StreamHistory): Json;
  /**
   * Present if in a fork the rules themselves ask for approvals of calls of functions and webhooks (with the effects `hold`), and ask again for steps
   * that were open in the copies, as scripts do. Without it, the runtime puts the waits before the calls and opens the steps again as they were asked
   * for; the rules do not see either.
   */
  readonly asksAgain?: true;
  /**
   * Present if the rules themselves start the clock of a wait for people when an operator asks for it, as scripts do. For other rules the runtime
   * starts it.
   */
  readonly startsClocks?: true;
  initialState(start: Started, context?: Json): State;
  /** Total: takes every event in every state and never throws. */
  evolve(state: State, event: Seen<E | RuntimeEvent | ActivityEvent>): State;
  /** All steps to do now, in order. A step that was opened before is skipped, so the answer may repeat it. An empty answer waits for the open steps. */
  next(state: State): readonly Step<E>[];
  /** @throws WorkflowBug if the rules give another answer for the same history */
  check?(state: State): void;
  /**
   * The result that readers of the run get, if the recorded one leaves out parts that the history holds already, such as a transcript. Owners get the
   * recorded one.
   */
  wholeResult?(state: State, recorded: Json): Json;
}

/** An event as rules see it, without where and by whom it was stored. */
export type Seen<E extends Event = Event> = E & {
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
};

/**
 * The start of a run as rules see it. Values that they derive from `runId` are unique to the run and the same in each replay. A fork has the id of
 * the run in which it began.
 */
export type Started = Seen<WorkflowStarted> & { readonly runId: string };

/**
 * Rules make the ids of steps from the place in the history, never from text that came from outside. A run has one namespace of ids, and a repeated
 * id must come with the same step. Attempt n of a call is `<callId>#<n>`.
 */
export type Step<E extends Event = Event> =
  /** Records a fact that follows from the history. It must change the next answer. */
  | {
      readonly do: 'record';
      readonly event: E;
      /** Tells apart successive records of the same event. */
      readonly place?: string;
    }
  | { readonly do: 'call'; readonly id: string; readonly activity: string; readonly input: Json }
  | {
      readonly do: 'timer';
      readonly id: string;
      readonly afterMs: number;
      /** ISO 8601. The timer is due then, however long recording the step takes. `afterMs` is the length at the time of asking. */
      readonly until?: string;
    }
  | {
      readonly do: 'child';
      readonly id: string;
      readonly workflow: string;
      readonly input: Json;
      /** The part of another stream that the child uses. The stream is named without the prefix of the log. */
      readonly context?: UsedStream;
    }
  | {
      readonly do: 'await';
      readonly id: string;
      readonly signal: string;
      readonly schema?: JsonSchema;
      readonly prompt?: Json;
      /** After this time the await ends as `TimerFired` with its id. */
      readonly timeoutMs?: number;
      /** The people who answer. Default for an await for people: every reviewer and operator. */
      readonly people?: PeoplePolicy;
    }
  /** Cancels a timer, an await or a child. A child stays open until it has ended. */
  | { readonly do: 'cancel'; readonly id: string }
  /** Waits until no step is open: timers, awaits and children are cancelled, calls are waited for. */
  | { readonly do: 'end'; readonly result: Json }
  | { readonly do: 'fail'; readonly failure: Failure; readonly result?: Json };

/** The name of a source of facts: `clock`, `seed`, `prices`, or one that the application registers. */
export type FactName = string;
