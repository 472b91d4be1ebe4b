import type { ActivityEvent, RunGiven } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import { idInStream, type StreamHistory } from '#lib/event-store';
import { type Event, type Json, jsonText, present, type RecordedEvent } from '#lib/kernel';
import {
  askedAtStart,
  type AskedSteps,
  forkAtStart,
  forkFrom,
  isForked,
  openAgain,
  type RunFork,
  withAsked,
} from './forks/forked-run.rules.js';
import type { WorkflowForked } from './forks/fork.events.js';
import { afterHold, heldSteps, type Holds, holdsOf } from './holds.rules.js';
import { Memories } from './memories.js';
import { evolveSteps, initialSteps, type RunSteps } from './run.decider.js';
import type { WorkflowStarted } from './runtime.events.js';
import { afterClock, clocksAtStart, clockSteps, type RulesClocks, toldOf } from './rules-clocks.rules.js';
import type { Rules, Step } from './workflow.js';

/** A run folded up to one of its events: the state of the runtime, of its rules, and of its activities. */
export interface Run<State = unknown> {
  /** The ids in the run follow from it. Of a fork: the id of the run that was forked, until the fork continues by itself. */
  readonly runId: string;
  readonly rules: Rules<State>;
  readonly activities: ActivityRegistry;
  readonly start: RecordedEvent<WorkflowStarted>;
  /** The context from another stream; null if the run uses none. */
  readonly context: Json;
  readonly steps: RunSteps;
  /** The bytes of all data so far, as JSON text. */
  readonly bytes: number;
  readonly state: State;
  readonly memories: Memories;
  /** Absent if its calls are not held, or if its rules hold them themselves. */
  readonly holds?: Holds;
  /** Absent if its rules start the clocks of its waits themselves. */
  readonly clocks?: RulesClocks;
  readonly fork?: RunFork;
  /** Of rules without a script, while copied events are folded. */
  readonly asked?: AskedSteps;
  /** Of rules without a script: the steps that were open when the run was forked. They are opened again. */
  readonly again?: readonly Step[];
}

export function beginRun<State>(
  rules: Rules<State>,
  activities: ActivityRegistry,
  start: RecordedEvent<WorkflowStarted>,
  context?: Json,
): Run<State> {
  const used = context ?? null;
  const runId = start.data.firstRunId ?? idInStream(start.stream);
  const fork = forkAtStart(start.data);
  const holds = holdsOf(rules, fork);
  const asked = askedAtStart(rules.asksAgain, start);
  const clocks = clocksAtStart(rules);
  const begun: Run<State> = {
    runId,
    rules,
    activities,
    start,
    context: used,
    steps: evolveSteps(initialSteps, start, activities),
    bytes: bytesOf(start),
    state: rules.initialState({ ...start, runId }, context),
    memories: new Memories(activities, givenOf({ start, context: used })),
    ...present({ holds, clocks, fork, asked }),
  };
  return keepingAsked(begun, start);
}

/** The context that the rules derive from the stream that the start refers to; null for rules that use none. */
export function contextOf(rules: Rules, history: StreamHistory): Json {
  return rules.contextOf?.(history) ?? null;
}

export function evolveRun<State>(run: Run<State>, event: RecordedEvent): Run<State> {
  const steps = evolveSteps(run.steps, event, run.activities);
  const holds = run.holds && afterHold(run.holds, event);
  const clocks = run.clocks && afterClock(run.clocks, event, run.steps);
  const told = holds ? undefined : clocks ? toldOf(clocks, event) : event;
  const state = told ? run.rules.evolve(run.state, told) : run.state;
  const bytes = run.bytes + bytesOf(event);
  const isOfCall = run.activities.roleOf(event) !== undefined;
  const memories = isOfCall ? run.memories.after(event as RecordedEvent<ActivityEvent>) : run.memories;
  const kept = present({ holds, clocks });
  const next = { ...run, steps, bytes, state, memories, ...kept };
  return keepingAsked(isForked(event) ? goingOn(next, event, run.steps) : next, event);
}

/** The run after the event at which a fork continues by itself. */
function goingOn<State>(run: Run<State>, event: WorkflowForked, before: RunSteps): Run<State> {
  const { runId } = event.data;
  const fork = forkFrom(event);
  const again = run.asked && openAgain(before, run.asked);
  return { ...run, runId, fork, holds: holdsOf(run.rules, fork, run.steps.revision), again };
}

function keepingAsked<State>(run: Run<State>, { metadata }: RecordedEvent): Run<State> {
  const { asked } = run;
  if (!asked) return run;
  return { ...run, asked: metadata.copied ? withAsked(asked, askedBy(run)) : undefined };
}

/** The steps that the rules give after the last event. */
export function stepsOf(run: Run): readonly Step[] {
  const steps = [...(run.clocks ? clockSteps(run.clocks, run.steps, run.runId) : []), ...askedBy(run)];
  return run.holds ? heldSteps(steps, run.holds, run.steps.closed) : steps;
}

/** The steps of the rules, without waits for approvals and clocks of waits: those belong to one fork alone. */
function askedBy({ rules, state, again = [] }: Run): readonly Step[] {
  return [...again, ...rules.next(state)];
}

export function bytesOf({ data }: Event): number {
  return Buffer.byteLength(jsonText(data));
}

/** @param context the value of `contextOf` for the stream that the run refers to */
export function foldRun<State>(
  rules: Rules<State>,
  activities: ActivityRegistry,
  [start, ...rest]: readonly RecordedEvent[],
  context?: Json,
): Run<State> {
  const begun = beginRun(rules, activities, start as RecordedEvent<WorkflowStarted>, context);
  return rest.reduce(evolveRun<State>, begun);
}

/** The values that requests of the run may refer to from its beginning. */
export function givenOf({ start, context }: Pick<Run, 'start' | 'context'>): RunGiven {
  const { input, facts } = start.data;
  return { input, facts, context };
}

/** The memory that an activity has of the run's calls. */
export function memoryOf({ memories }: Run, activity: string): unknown {
  return memories.of(activity);
}
