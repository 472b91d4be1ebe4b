import { roundTaskId, type SessionCreated, type SessionEvent, statusAt } from '#lib/decisions/session';
import { asksOf, type ExperimentBatchEnded, type ExperimentStarted, isCompletedBy } from '#lib/histories';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { DeliveryParked } from '#lib/reactions';
import { waitKind } from '#lib/tasks';
import { isOwnAwait, type RuntimeEvent, timedWait, waitTaskId } from '#lib/workflow';
import type { HookType } from './hook-types.js';
import { openAwait, openRound } from './waits-before.js';

/** The members of a message: ids, names and a status, and no content. */
export type NoticeData = { readonly [member: string]: string | number };

/** Facts that are not in the event. */
export interface Around {
  /** The category and the id in the name of its stream. */
  readonly category: string;
  readonly id: string;
  /** The ids and names of the session, conversation or run for which its stream works. */
  readonly root: NoticeData;
  /** Its stream is a run of the engine's own. */
  readonly isInternal: boolean;
  /** The events before it in its stream, the newest first. */
  before(): AsyncIterable<RecordedEvent>;
  first(): Promise<RecordedEvent>;
}

type Told = NoticeData | undefined;
/** The events that hooks get messages about, by the families that are read. */
type ToldEvent =
  | SessionEvent
  | RuntimeEvent
  | DeliveryParked
  | Event<'TurnTaken', { readonly turnId: string }>
  | Event<'TaskReminded' | 'TaskEscalated', { readonly taskId: string }>
  | ExperimentStarted
  | ExperimentBatchEnded
  | Event<'LogSealed', { readonly index: number; readonly events: number; readonly root: string }>;

type Tell<Data> = (data: Data, around: Around) => Told | Promise<Told>;
/** By the type of the event. */
type Tellers = {
  readonly [E in ToldEvent as E['type']]?: Tell<E['data']>;
};

const ofRound = (around: Around, roundId: string, status: string) => ({ ...around.root, roundId, status });
const ofRoundTask = (around: Around, roundId: string, status: string) => ({
  taskId: roundTaskId(around.id, roundId),
  ...ofRound(around, roundId, status),
});
const ofRun = ({ category, id, root }: Around, status: string) => ({
  ...root,
  runId: id,
  workflow: category,
  status,
});
const ofWait = (around: Around, stepId: string, status: string) => ({
  taskId: waitTaskId(around.id, stepId),
  ...ofRun(around, status),
});

/** The status of a session whose transition leads to a state. */
async function statusAfter(around: Around, toState: string) {
  const { data } = (await around.first()) as RecordedEvent<SessionCreated>;
  return statusAt(data.machine, toState);
}

/** A wait of a run for people ends. */
async function waitEnded(around: Around, stepId: string, status: string): Promise<Told> {
  const awaited = await openAwait(around.before(), stepId);
  return awaited && waitKind(awaited) ? ofWait(around, stepId, status) : undefined;
}

const tellers: { readonly [Type in HookType]: Tellers } = {
  'session.created': {
    SessionCreated: ({ roundId, machine, initialState }, around) =>
      ofRound(around, roundId, statusAt(machine, initialState)),
  },
  'session.needs_human': {
    HumanInputRequested: ({ roundId }, around) => ofRound(around, roundId, 'needs_human'),
  },
  'session.done': {
    TransitionExecuted: async ({ roundId, toState }, around) => {
      const status = await statusAfter(around, toState);
      return status === 'done' ? ofRound(around, roundId, status) : undefined;
    },
  },
  'round.decided': {
    TransitionExecuted: async ({ roundId, toState }, around) =>
      ofRound(around, roundId, await statusAfter(around, toState)),
  },
  'task.opened': {
    HumanInputRequested: ({ roundId }, around) => ofRoundTask(around, roundId, 'open'),
    SignalAwaited: (data, around) => (waitKind(data) ? ofWait(around, data.stepId, 'open') : undefined),
  },
  'task.reminded': { TaskReminded: ofClock },
  'task.escalated': { TaskEscalated: ofClock },
  'task.expired': {
    ClockEnded: async ({ roundId, failure }, around) =>
      !failure && (await openRound(around.before(), roundId))
        ? ofRoundTask(around, roundId, 'expired')
        : undefined,
    TransitionExecuted: async ({ roundId, isHuman, timedBy }, around) => {
      const wait = isHuman || timedBy === undefined ? undefined : await openRound(around.before(), roundId);
      return wait && wait.clockId === timedBy ? ofRoundTask(around, roundId, 'expired') : undefined;
    },
    TimerFired: ({ stepId }, around) => waitEnded(around, stepId, 'expired'),
    ChildEnded: ({ stepId, status }, around) => {
      const waitId = status === 'completed' ? timedWait(stepId) : undefined;
      return waitId === undefined ? undefined : waitEnded(around, waitId, 'expired');
    },
  },
  'task.answered': {
    TransitionExecuted: async ({ roundId, isHuman }, around) =>
      isHuman && (await openRound(around.before(), roundId))
        ? ofRoundTask(around, roundId, 'answered')
        : undefined,
    SignalReceived: ({ stepId }, around) => waitEnded(around, stepId, 'answered'),
  },
  'run.waiting': {
    SignalAwaited: (data, around) =>
      around.isInternal || isOwnAwait(around.category, data) ? undefined : ofRun(around, 'waiting'),
  },
  'run.completed': {
    WorkflowEnded: ({ status }, around) =>
      !around.isInternal && status === 'completed' ? ofRun(around, status) : undefined,
  },
  'run.failed': {
    WorkflowEnded: ({ status }, around) =>
      !around.isInternal && status === 'failed' ? ofRun(around, status) : undefined,
    WorkflowGivenUp: (_, around) => (around.isInternal ? undefined : ofRun(around, 'failed')),
  },
  'turn.completed': {
    TurnTaken: ({ turnId }, { root }) => ({ ...root, turnId, status: 'completed' }),
  },
  'experiment.completed': {
    // One without points is completed at once.
    ExperimentStarted: (data, { root }) => (asksOf(data) === 0 ? completed(root) : undefined),
    ExperimentBatchEnded: async (data, around) => {
      const { data: started } = (await around.first()) as RecordedEvent<ExperimentStarted>;
      return (await isCompletedBy(data, started, around.before())) ? completed(around.root) : undefined;
    },
  },
  'reaction.parked': {
    // A hook gets no message about deliveries of hooks that were parked: that would never end.
    DeliveryParked: ({ deliveryId, type }, { id }) =>
      type === 'reaction.parked' ? undefined : { reaction: id, deliveryId, status: 'parked' },
  },
  'log.sealed': {
    LogSealed: ({ index, events, root }) => ({ index, events, root, status: 'sealed' }),
  },
};

function completed(root: NoticeData): NoticeData {
  return { ...root, status: 'completed' };
}

function ofClock({ taskId }: { readonly taskId: string }, { root }: Around): NoticeData {
  return { taskId, ...root, status: 'open' };
}

/** The recorded types that these types of hooks are made of. */
export function recordedTypesOf(types: readonly HookType[]): ReadonlySet<string> {
  return new Set(types.flatMap((type) => Object.keys(tellers[type])));
}

/** The message of one type about an event; `undefined` if the event has none of that type. */
export async function noticeOf(type: HookType, event: RecordedEvent, around: Around): Promise<Told> {
  const tell = (tellers[type] as { readonly [type: string]: Tell<object> | undefined })[event.type];
  return tell?.(event.data, around);
}
