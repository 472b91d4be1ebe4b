import type { ActivityEvent } from './activity/activity.js';
import type { PeoplePolicy } from '#lib/candidates';
import type { EventDefinitions, StreamHistory } from '#lib/event-store';
import type { Event, Json, Problem } from '#lib/kernel';
import type { Failure, JsonSchema, UsedStream } from './run-values.js';
import type { RuntimeEvent, WorkflowStarted } from './runtime.events.js';

/** A durable computation whose only memory is its history. */
export interface Workflow<State = unknown, E extends Event = Event> {
  /** Category of its streams and key of the registry: a lower-case letter, then letters, digits and underscores. */
  readonly name: string;
  /** Its runs can be read from outside, and are started, signalled and cancelled only by the engine itself. */
  readonly internal?: boolean;
  /** The events that its rules record. */
  readonly events?: EventDefinitions<E>;
  /** The start event names the version that a run follows to its end; new runs take the highest. */
  readonly versions: Readonly<Record<number, Rules<State, E>>>;
}

/**
 * One version of a workflow. Pure: no clock, no randomness, no I/O. The rules use only the start event, the
 * context it refers to, and the events after it, so replay asks the same questions and must get the same answers.
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
   * The part of another stream that the run uses, such as a session's history up to the start. States that it asks for
   * (`history.state`) are folded once, however many runs use the stream: it must not change them, and gives the same folding
   * object at each call.
   */
  contextOf?(history: StreamHistory): Json;
  /**
   * In a fork they ask by themselves: for approvals of calls of functions and webhooks, if it holds those, and again for what was open
   * when it was copied, as scripts do. Without it, the waits are put before the calls, what was open is opened again as it was asked for,
   * and the rules are not told of either.
   */
  readonly asksAgain?: true;
  /** They start the clock of a wait for people themselves when an operator asks for it, as scripts do. For other rules the runtime does. */
  readonly startsClocks?: true;
  initialState(start: Started, context?: Json): State;
  /** Total: takes every event in every state and never throws. */
  evolve(state: State, event: Seen<E | RuntimeEvent | ActivityEvent>): State;
  /**
   * All that is to be done now, first things first. A step that was opened before is skipped, so the answer may repeat it; an
   * empty answer waits for what is open.
   */
  next(state: State): readonly Step<E>[];
  /** @throws WorkflowBug if the rules answer otherwise when they are given the same history again */
  check?(state: State): void;
  /**
   * The result as readers of the run get it, if the recorded one leaves out what the history holds already, such as a
   * transcript. Owners get the recorded one.
   */
  wholeResult?(state: State, recorded: Json): Json;
}

/** An event as rules see it: nothing of where and by whom it was stored. */
export type Seen<E extends Event = Event> = E & {
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
};

/**
 * The start of a run as rules see it. What they derive from `runId` is no other run's, and the same in each replay: a fork has the id of the
 * run in which it began.
 */
export type Started = Seen<WorkflowStarted> & { readonly runId: string };

/**
 * Ids of steps are made by the rules from the place in the history, never from text that came from outside. A run has one
 * namespace of them, and an id that comes again must come with the same step. Attempt n of a call is `<callId>#<n>`.
 */
export type Step<E extends Event = Event> =
  /** A fact that follows from the history. It must change the next answer. */
  | {
      readonly do: 'record';
      readonly event: E;
      /** Tells apart records of the same event that follow each other. */
      readonly place?: string;
    }
  | { readonly do: 'call'; readonly id: string; readonly activity: string; readonly input: Json }
  | {
      readonly do: 'timer';
      readonly id: string;
      readonly afterMs: number;
      /** ISO 8601. Due then, however long it takes until the step is recorded; `afterMs` tells how long that was when it was asked for. */
      readonly until?: string;
    }
  | {
      readonly do: 'child';
      readonly id: string;
      readonly workflow: string;
      readonly input: Json;
      /** The part of another stream that the child uses; the stream without the prefix of the log. */
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
      /** The people who answer; default: every reviewer and operator, if it is for people. */
      readonly people?: PeoplePolicy;
    }
  /** Cancels a timer, an await or a child. A child stays open until it has ended. */
  | { readonly do: 'cancel'; readonly id: string }
  /** Waits until nothing is open: timers, awaits and children are cancelled, calls are waited for. */
  | { readonly do: 'end'; readonly result: Json }
  | { readonly do: 'fail'; readonly failure: Failure; readonly result?: Json };

/** Names a source of facts: `clock`, `seed`, `prices`, and what the application registers. */
export type FactName = string;
