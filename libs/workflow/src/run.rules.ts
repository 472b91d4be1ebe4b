import type { ActivityEvent, ActivityRegistry, RunGiven } from '#lib/activity';
import { idInStream, type StreamHistory } from '#lib/event-store';
import { type Event, type Json, jsonText, type RecordedEvent } from '#lib/kernel';
import { evolveSteps, initialSteps, type RunSteps } from './run.decider.js';
import type { WorkflowStarted } from './runtime.events.js';
import type { Rules } from './workflow.js';

/** A run folded up to one of its events: what the runtime knows, what its rules know, what its activities remember. */
export interface Run<State = unknown> {
  readonly runId: string;
  readonly rules: Rules<State>;
  readonly activities: ActivityRegistry;
  readonly start: RecordedEvent<WorkflowStarted>;
  /** The context that the run uses of another stream; null if it uses none. */
  readonly context: Json;
  readonly steps: RunSteps;
  /** Bytes of all data so far, as JSON text. */
  readonly bytes: number;
  readonly state: State;
  /** By the activity's name. */
  readonly memories: ReadonlyMap<string, unknown>;
}

export function beginRun<State>(
  rules: Rules<State>,
  activities: ActivityRegistry,
  start: RecordedEvent<WorkflowStarted>,
  context?: Json,
): Run<State> {
  return {
    runId: idInStream(start.stream),
    rules,
    activities,
    start,
    context: context ?? null,
    steps: evolveSteps(initialSteps, start, activities),
    bytes: bytesOf(start),
    state: rules.initialState(start, context),
    memories: new Map(),
  };
}

/** The context that the rules derive from the stream that the start refers to; null for rules that use none. */
export function contextOf(rules: Rules, history: StreamHistory): Json {
  return rules.contextOf?.(history) ?? null;
}

export function evolveRun<State>(run: Run<State>, event: RecordedEvent): Run<State> {
  const steps = evolveSteps(run.steps, event, run.activities);
  const state = run.rules.evolve(run.state, event);
  const bytes = run.bytes + bytesOf(event);
  return { ...run, steps, bytes, state, memories: evolveMemories(run, event) };
}

function bytesOf({ data }: Event): number {
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

/** The memory of an activity about the calls of a run. */
export function memoryOf(run: Run, activity: string): unknown {
  const { activities, memories } = run;
  if (memories.has(activity)) return memories.get(activity);
  return activities.named(activity)?.memory?.begin(givenOf(run));
}

function evolveMemories(run: Run, event: Event): Run['memories'] {
  if (!run.activities.roleOf(event)) return run.memories;
  const memories = new Map(run.memories);
  for (const { name, memory } of run.activities.all) {
    if (memory?.evolve) memories.set(name, memory.evolve(memoryOf(run, name), event as ActivityEvent));
  }
  return memories;
}
