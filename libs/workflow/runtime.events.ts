// The names of these events and of their members are the storage format: logs of every release hold them.
// Add members as optional ones; to rename or to change a meaning, raise the version and write an upcaster.
import { peopleMembers, type PeoplePolicy } from '#lib/candidates';
import { type DeclaredEvents, type DeclaredMembers, type ERASED, type ForkedFrom } from '#lib/event-store';
import type { Event, Json, JsonObject, Labels } from '#lib/kernel';
import {
  copiedMembers,
  forkedDefinition,
  type RunEffects,
  type RunOverrides,
  type WorkflowForked,
} from './forks/fork.events.js';
import type { Failure, JsonSchema, UsedStream } from './run-values.js';

/**
 * The owner, to which the end of a run is delivered: a step of the run that started it, or another stream, by its capability. Events name streams
 * without the prefix of the log.
 */
export type Owner =
  | { readonly run: string; readonly workflow: string; readonly stepId: string }
  | { readonly stream: string };

/** The part of another stream that a run uses: the value of `contextOf` for its events up to this revision. */
export type ContextReference = {
  /** Absent: the stream that owns the run. */
  readonly stream?: string;
  readonly revision: number;
  /** SHA-256 of the JSON text of the value of `contextOf`. */
  readonly sha256: string;
};

/** The end of a run. A cancelled run keeps the result and failure that its rules gave. */
export type RunEnd = {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly result?: Json;
  readonly failure?: Failure;
};

/** External, as is every event below that is not marked as derived. */
export type WorkflowStarted = Event<
  'WorkflowStarted',
  Labels & {
    readonly workflow: string;
    readonly version: number;
    readonly input: Json;
    readonly facts: { readonly [name: string]: Json };
    readonly owner?: Owner;
    readonly context?: ContextReference;
    /** The version of the script helpers that the run follows to its end. Absent: 1. */
    readonly helpers?: number;
    /**
     * The person who started it. For a run that another run or a session started: the person behind that one. Absent if there is no person, and
     * before 0.3.
     */
    readonly by?: string;
    /** Present if the run works for a fork from its beginning. */
    readonly fork?: RunEffects;
    /** The people who made the forks that the run works for, if they are known. */
    readonly forkedBy?: readonly string[];
    /** Of a run below a fork: the overrides that apply from its beginning. */
    readonly overrides?: RunOverrides;
    /** Present if the run is a fork itself: its first events were copied. */
    readonly forkedFrom?: ForkedFrom;
    /** Of a fork: the first run of its line of forks. Ids follow from it until a `WorkflowForked`. */
    readonly firstRunId?: string;
  }
>;

/** Derived. Due at `until`, in ISO 8601, else at its `occurredAt` plus `afterMs`. */
export type TimerStarted = Event<
  'TimerStarted',
  { readonly stepId: string; readonly afterMs: number; readonly until?: string }
>;

/** Also the end of an await that timed out. Never early by the clock of the process that recorded it. */
export type TimerFired = Event<'TimerFired', { readonly stepId: string }>;

/** Derived. `afterMs` is its time-out. A wait for people is named by its prompt, its signal, or `people`. */
export type SignalAwaited = Event<
  'SignalAwaited',
  {
    readonly stepId: string;
    readonly signal: string;
    readonly schema?: JsonSchema;
    readonly prompt?: Json;
    readonly afterMs?: number;
    /** The people who answer. This member raises the schema version: 0.2 would let others answer. */
    readonly people?: PeoplePolicy;
  }
>;

/**
 * The choice of one person where several people have to make the same choice. The wait stays open; the last choice that is needed is a
 * `SignalReceived`. The id of the event follows from its author.
 */
export type ChoiceGiven = Event<'ChoiceGiven', SignalReceived['data'] & { readonly by: string }>;

/** An answer from outside that the run waits for. */
export type SignalReceived = Event<
  'SignalReceived',
  {
    readonly stepId: string;
    readonly signal: string;
    readonly payload: Json;
    /** The author of the answer: a person, or `operator`. The id of the event follows from it. Absent before 0.3. */
    readonly by?: string;
    /** The reason, where the payload has no place for it. */
    readonly reason?: string;
  }
>;

/** A request for the clock of a wait for people that has none. The run starts it, and the time-out of the await, if it has one, becomes its expiry. */
export type ClockRequested = Event<
  'ClockRequested',
  {
    readonly stepId: string;
    /** A person, or `operator`. */
    readonly by: string;
  }
>;

/** An operator moved the timers of a clock. It ends the await of the signal `DueMoved`. An absent instant does not change. */
export type DueMoved = Event<
  'DueMoved',
  {
    readonly stepId: string;
    /** ISO 8601, UTC. */
    readonly dueAt?: string;
    readonly expiresAt?: string;
    /** A person, or `operator`. */
    readonly by: string;
  }
>;

/** Derived. The child's own start holds its version and facts. */
export type ChildStarted = Event<
  'ChildStarted',
  {
    readonly stepId: string;
    readonly runId: string;
    readonly workflow: string;
    readonly input: Json;
    /** The child's own start holds the hash of this part. */
    readonly context?: UsedStream;
  }
>;

/** A child run ended. */
export type ChildEnded = Event<'ChildEnded', { readonly stepId: string; readonly runId: string } & RunEnd>;

/** Derived. Closes a timer or an await; asks a child to end. */
export type StepCancelled = Event<'StepCancelled', { readonly stepId: string }>;

/** The run is to end without further steps. */
export type RunCancelRequested = Event<'RunCancelRequested', { readonly reason?: string }>;

/** Derived. The last event of its run. */
export type WorkflowEnded = Event<'WorkflowEnded', RunEnd>;

/** A run that cannot continue was ended, by an operator or because its subject was erased. It is the last event, and replay stops here. */
export type WorkflowGivenUp = Event<
  'WorkflowGivenUp',
  { readonly reason?: string; readonly kind?: typeof ERASED }
>;

/** The events that the runtime writes into every run. */
export type RuntimeEvent =
  | WorkflowStarted
  | WorkflowForked
  | TimerStarted
  | TimerFired
  | SignalAwaited
  | ChoiceGiven
  | SignalReceived
  | ClockRequested
  | DueMoved
  | ChildStarted
  | ChildEnded
  | StepCancelled
  | RunCancelRequested
  | WorkflowEnded
  | WorkflowGivenUp;

const runEndMembers = {
  status: 'structure',
  result: 'content',
  failure: { kind: 'structure', message: 'content' },
} as const satisfies DeclaredMembers<RunEnd>;

const startedMembers = {
  workflow: 'structure',
  version: 'structure',
  input: 'content',
  facts: 'content',
  owner: { run: 'structure', workflow: 'structure', stepId: 'structure', stream: 'structure' },
  context: { stream: 'structure', revision: 'structure', sha256: 'derived' },
  helpers: 'structure',
  by: 'structure',
  key: 'structure',
  tags: 'content',
  subject: 'structure',
} as const satisfies DeclaredMembers<
  Omit<WorkflowStarted['data'], 'fork' | 'overrides' | 'forkedFrom' | 'firstRunId' | 'forkedBy'>
>;

/** An older build would hold no call. */
const heldMembers = { ...startedMembers, fork: 'structure' } as const;

const forkMembers = { ...heldMembers, ...copiedMembers } as const;

const awaitedMembers = {
  stepId: 'structure',
  signal: 'structure',
  schema: 'content',
  prompt: 'content',
  afterMs: 'structure',
} as const;

const answerMembers = {
  stepId: 'structure',
  signal: 'structure',
  payload: 'content',
  by: 'structure',
  reason: 'content',
} as const;

/**
 * The entries in the event catalogue: the current schema version of each type, and the kinds of its members. Inputs, facts and results belong to any
 * workflow, so they are content as a whole.
 */
export const runtimeEventDefinitions: DeclaredEvents<RuntimeEvent> = {
  WorkflowStarted: {
    version: 4,
    members: { ...forkMembers, forkedBy: 'structure' },
    earlier: { 1: startedMembers, 2: heldMembers, 3: forkMembers },
    blanks: { '/input': null, '/facts': {} },
    upcasters: { 1: (data) => data, 2: (data) => data, 3: (data) => data },
    versionOf,
  },
  WorkflowForked: forkedDefinition,
  TimerStarted: { version: 1, members: { stepId: 'structure', afterMs: 'structure', until: 'structure' } },
  TimerFired: { version: 1, members: { stepId: 'structure' } },
  SignalAwaited: {
    version: 2,
    members: { ...awaitedMembers, people: peopleMembers },
    earlier: { 1: awaitedMembers },
    upcasters: { 1: (data) => data },
    versionOf: ({ people }) => (people === undefined ? 1 : 2),
  },
  ChoiceGiven: { version: 1, members: answerMembers, blanks: { '/payload': null } },
  SignalReceived: { version: 1, members: answerMembers, blanks: { '/payload': null } },
  ClockRequested: { version: 1, members: { stepId: 'structure', by: 'structure' } },
  DueMoved: {
    version: 1,
    members: { stepId: 'structure', dueAt: 'structure', expiresAt: 'structure', by: 'structure' },
  },
  ChildStarted: {
    version: 1,
    members: {
      stepId: 'structure',
      runId: 'structure',
      workflow: 'structure',
      input: 'content',
      context: { stream: 'structure', revision: 'structure' },
    },
    blanks: { '/input': null },
  },
  ChildEnded: { version: 1, members: { stepId: 'structure', runId: 'structure', ...runEndMembers } },
  StepCancelled: { version: 1, members: { stepId: 'structure' } },
  RunCancelRequested: { version: 1, members: { reason: 'content' } },
  WorkflowEnded: { version: 1, members: runEndMembers },
  WorkflowGivenUp: { version: 1, members: { reason: 'content', kind: 'structure' } },
};

/**
 * An older build would drive and count copied events, ask another model than the fork does, take encrypted content for plain content, or let the
 * people answer who made the forks that the run works for.
 */
function versionOf({ fork, overrides, forkedFrom, subject, forkedBy }: JsonObject): number {
  if (forkedBy) return 4;
  if (overrides ?? forkedFrom ?? subject) return 3;
  return fork === undefined ? 1 : 2;
}
