import { approvalsOf } from '#lib/candidates';
import type { ActivityEvent } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import { type Event, type Json, present, type RecordedEvent } from '#lib/kernel';
import { creatorsAfter } from './creators.rules.js';
import { isDeciding, type PeopleWait, peopleWait, timedWait, withChoice } from './people-wait.rules.js';
import type {
  ChildEnded,
  ChildStarted,
  ChoiceGiven,
  RunEnd,
  RuntimeEvent,
  SignalAwaited,
  SignalReceived,
} from './runtime.events.js';
import { KeptMap } from './kept-map.js';
import { endIn } from './run-end.rules.js';
import type { Seen } from './workflow.js';
import type { JsonSchema, UsedStream } from './run-values.js';

const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The time at which a timer or a time-out is due, in whole epoch milliseconds; `Infinity`, which never comes, after the year 9999.
 * @param until the instant, of a timer that has one
 */
export function dueAfter(occurredAt: string, afterMs: number, until?: string): number {
  const dueAt = until === undefined ? Date.parse(occurredAt) + Math.max(0, afterMs) : Date.parse(until);
  return dueOrNever(Math.ceil(dueAt));
}

/** A due time in epoch milliseconds; `Infinity`, which never comes, after the year 9999: a date does not hold every later time. */
export function dueOrNever(dueAt: number): number {
  return dueAt <= LAST_TIME ? dueAt : Infinity;
}

/** A step that was opened and not closed. Times are epoch milliseconds. */
export type OpenStep =
  | { readonly kind: 'call'; readonly activity: string; readonly request: RecordedEvent<ActivityEvent> }
  | { readonly kind: 'timer'; readonly dueAt: number }
  | {
      readonly kind: 'await';
      readonly signal: string;
      readonly schema?: JsonSchema;
      readonly dueAt?: number;
      readonly people?: PeopleWait;
      /** A clock times the await, or was asked for. */
      readonly isTimed?: true;
      /** The clock has ended the await: it takes no answer. */
      readonly isOver?: true;
    }
  | {
      readonly kind: 'child';
      readonly runId: string;
      readonly workflow: string;
      readonly input: Json;
      readonly context?: UsedStream;
      readonly cancelled: boolean;
    };

type OpenAwait = Extract<OpenStep, { kind: 'await' }>;

/** The state of a run without its rules: enough to accept or refuse every event from outside. */
export interface RunSteps {
  /** The revision of the last event; -1 before the first. */
  readonly revision: number;
  /** The id of the last event from outside: the events that are derived now follow from it. */
  readonly cause: string;
  /** By step id, in the order of opening. */
  readonly open: KeptMap<OpenStep>;
  readonly closed: KeptMap<true>;
  readonly cancelRequested: boolean;
  /** The people whom `creator` means: the person who started the run, and those who forked it or the run or session it works for, if they are known. */
  readonly creators: readonly string[];
  readonly end?: RunEnd;
}

export const initialSteps: RunSteps = {
  revision: -1,
  cause: '',
  open: KeptMap.empty(),
  closed: KeptMap.empty(),
  cancelRequested: false,
  creators: [],
};

/** Total: an event that answers no open step only counts. */
export function evolveSteps(steps: RunSteps, event: RecordedEvent, activities: ActivityRegistry): RunSteps {
  const cause = isExternal(event, activities) ? event.eventId : steps.cause;
  const counted = { ...steps, revision: event.revision, cause };
  const role = activities.roleOf(event);
  if (!role) return evolveByRuntime(counted, event as RecordedEvent<RuntimeEvent>);
  const call = event as RecordedEvent<ActivityEvent>;
  const { stepId } = call.data;
  if (role.role !== 'requested') return closed(counted, stepId);
  return opened(counted, stepId, { kind: 'call', activity: role.activity.name, request: call });
}

function evolveByRuntime(steps: RunSteps, event: RecordedEvent<RuntimeEvent>): RunSteps {
  switch (event.type) {
    case 'WorkflowStarted':
      return { ...steps, creators: creatorsAfter(steps.creators, event) };
    case 'TimerStarted':
      return opened(steps, event.data.stepId, {
        kind: 'timer',
        dueAt: dueAfter(event.occurredAt, event.data.afterMs, event.data.until),
      });
    case 'SignalAwaited': {
      const { stepId, signal, schema, afterMs } = event.data;
      const until = afterMs === undefined ? {} : { dueAt: dueAfter(event.occurredAt, afterMs) };
      const people = peopleWait(event.data);
      return opened(steps, stepId, {
        kind: 'await',
        signal,
        ...present({ people, schema }),
        ...until,
      });
    }
    case 'ChildStarted': {
      const { stepId, ...child } = event.data;
      const timed = withAwait(steps, timedBy(event.data), (wait) => ({ ...wait, isTimed: true }));
      return opened(timed, stepId, { kind: 'child', ...child, cancelled: false });
    }
    case 'ChoiceGiven':
      return chosen(steps, event.data);
    case 'ClockRequested':
      // The clock replaces the time-out.
      return withAwait(steps, event.data.stepId, ({ dueAt: _, ...wait }) => ({ ...wait, isTimed: true }));
    case 'TimerFired':
    case 'SignalReceived':
    case 'DueMoved':
      return closed(steps, event.data.stepId);
    case 'ChildEnded':
      return closed(clockEnded(steps, event.data), event.data.stepId);
    case 'StepCancelled':
      return cancelled(steps, event.data.stepId);
    case 'RunCancelRequested':
      return { ...steps, cancelRequested: true };
    case 'WorkflowForked':
      return { ...steps, open: KeptMap.empty(), creators: creatorsAfter(steps.creators, event) };
    case 'WorkflowEnded':
    case 'WorkflowGivenUp':
      return { ...steps, end: endIn(event) };
    default:
      return steps;
  }
}

/** The workflow of clocks. */
export const DUE_TIMES = 'due_times';

/** The signal that moves the timers of a clock, and the type of the event that answers it. */
export const DUE_MOVED = 'DueMoved';

/**
 * Whether an await belongs to the engine: no person or program outside can answer it, and it is no wait for a person. Another workflow may await a
 * signal of the same name.
 */
export function isOwnAwait(workflow: string, { signal }: Pick<SignalAwaited['data'], 'signal'>): boolean {
  return workflow === DUE_TIMES && signal === DUE_MOVED;
}

/** The steps of a run after these events. */
export function foldSteps(history: readonly RecordedEvent[], activities: ActivityRegistry): RunSteps {
  return history.reduce((steps, event) => evolveSteps(steps, event, activities), initialSteps);
}

/**
 * Whether an event from outside may be recorded now: it answers an open step, or is about the run as a whole. Drivers, signals and children ask this
 * before they append, and the verifier asks it about the record.
 */
export function mayRecord(steps: RunSteps, event: Seen, activities: ActivityRegistry): boolean {
  if (steps.end || steps.revision < 0) return false;
  const role = activities.roleOf(event);
  if (role) {
    const step = steps.open.get((event as ActivityEvent).data.stepId);
    return role.role !== 'requested' && step?.kind === 'call' && step.activity === role.activity.name;
  }
  const external = event as RuntimeEvent;
  switch (external.type) {
    case 'TimerFired':
      return dueAtOf(steps, external.data.stepId) <= Date.parse(event.occurredAt);
    case 'ChoiceGiven':
    case 'SignalReceived':
      return mayAnswer(steps.open.get(external.data.stepId), external);
    case 'DueMoved': {
      const step = steps.open.get(external.data.stepId);
      return step?.kind === 'await' && step.signal === external.type;
    }
    case 'ClockRequested': {
      const step = steps.open.get(external.data.stepId);
      return !steps.cancelRequested && step?.kind === 'await' && isWithoutClock(step);
    }
    case 'ChildEnded': {
      const step = steps.open.get(external.data.stepId);
      return step?.kind === 'child' && step.runId === external.data.runId;
    }
    case 'RunCancelRequested':
      return !steps.cancelRequested;
    default:
      return external.type === 'WorkflowGivenUp';
  }
}

/** If several people have to make the same choice, each but the last gives a choice, and the last one answers. */
function mayAnswer(step: OpenStep | undefined, { type, data }: ChoiceGiven | SignalReceived): boolean {
  if (step?.kind !== 'await' || step.isOver || step.signal !== data.signal) return false;
  const { by = '', payload } = data;
  const isAnswer = type === 'SignalReceived';
  if (approvalsOf(step.people?.policy) === 1) return isAnswer;
  return step.people !== undefined && isDeciding(step.people, { by, payload }) === isAnswer;
}

/** Whether a clock may be asked for: the await is for people, and has no clock, or has a time-out besides it, as in a fork. */
export function isWithoutClock({ people, isTimed, isOver, dueAt }: OpenAwait): boolean {
  return people !== undefined && !isOver && (!isTimed || dueAt !== undefined);
}

const EXTERNAL: ReadonlySet<string> = new Set<RuntimeEvent['type']>([
  'WorkflowStarted',
  'WorkflowForked',
  'TimerFired',
  'ChoiceGiven',
  'SignalReceived',
  'ClockRequested',
  'DueMoved',
  'ChildEnded',
  'RunCancelRequested',
  'WorkflowGivenUp',
]);

/** Whether an event of this type comes from outside. All others are derived. */
export function isExternal(event: Event, activities: ActivityRegistry): boolean {
  const role = activities.roleOf(event)?.role;
  return role === undefined ? EXTERNAL.has(event.type) : role !== 'requested';
}

/** The time at which a timer, or the time-out of an await, is due; `Infinity` for every other step. */
export function dueAtOf({ open }: RunSteps, stepId: string): number {
  const step = open.get(stepId);
  return (step?.kind === 'timer' || step?.kind === 'await' ? step.dueAt : undefined) ?? Infinity;
}

/** The open steps in the order in which they fire: by due time, then by id. */
export function timedSteps(steps: RunSteps): readonly { readonly stepId: string; readonly dueAt: number }[] {
  return steps.open
    .keys()
    .map((stepId) => ({ stepId, dueAt: dueAtOf(steps, stepId) }))
    .filter(({ dueAt }) => dueAt < Infinity)
    .toSorted((one, other) => one.dueAt - other.dueAt || (one.stepId < other.stepId ? -1 : 1));
}

/** @param stepId `undefined` in a damaged record, which opens no step */
function opened(steps: RunSteps, stepId: string | undefined, step: OpenStep): RunSteps {
  if (stepId === undefined) return steps;
  return { ...steps, open: steps.open.with(stepId, step) };
}

function chosen(steps: RunSteps, { stepId, by, payload }: ChoiceGiven['data']): RunSteps {
  return withAwait(steps, stepId, ({ people, ...wait }) =>
    people ? { ...wait, people: withChoice(people, { by, payload }) } : wait,
  );
}

/** A clock that has failed does not end its wait. The wait then has no clock. */
function clockEnded(steps: RunSteps, { stepId, status }: ChildEnded['data']): RunSteps {
  const clock = steps.open.get(stepId);
  const waitId = clock?.kind === 'child' ? timedBy({ stepId, workflow: clock.workflow }) : undefined;
  return withAwait(steps, waitId, ({ isTimed: _, ...wait }) =>
    status === 'completed' ? { ...wait, isTimed: true, isOver: true } : wait,
  );
}

/** The id of the await that a child times. */
function timedBy({ stepId, workflow }: Pick<ChildStarted['data'], 'stepId' | 'workflow'>) {
  return workflow === DUE_TIMES ? timedWait(stepId) : undefined;
}

function withAwait(
  steps: RunSteps,
  stepId: string | undefined,
  changed: (wait: OpenAwait) => OpenAwait,
): RunSteps {
  const wait = stepId === undefined ? undefined : steps.open.get(stepId);
  if (stepId === undefined || wait?.kind !== 'await') return steps;
  return { ...steps, open: steps.open.with(stepId, changed(wait)) };
}

function closed(steps: RunSteps, stepId: string): RunSteps {
  if (!steps.open.has(stepId)) return steps;
  return { ...steps, open: steps.open.without(stepId), closed: steps.closed.with(stepId, true) };
}

function cancelled(steps: RunSteps, stepId: string): RunSteps {
  const step = steps.open.get(stepId);
  if (step?.kind !== 'child') return closed(steps, stepId);
  return { ...steps, open: steps.open.with(stepId, { ...step, cancelled: true }) };
}
