import { type ForkedFrom, idInStream } from '#lib/event-store';
import type { Json, Tags } from '#lib/kernel';
import {
  documents,
  flag,
  freeText,
  hidden,
  json,
  optional,
  type RowOf,
  type SchemaOf,
  foldedTable,
  time,
  uuid,
  word,
} from '#lib/read-models';
import type { Failure, JsonSchema, RunEnd } from '#lib/workflow';

/** The run that a fork was copied from, up to a revision of its stream. */
interface RunForkOrigin {
  readonly runId: string;
  readonly revision: number;
  /** A person, or `operator`. */
  readonly by: string;
  readonly reason?: string;
}

export function runForkOrigin({ stream, revision, by, reason }: ForkedFrom): RunForkOrigin {
  return { runId: idInStream(stream), revision, by, ...(reason !== undefined && { reason }) };
}

export const runsTable = foldedTable(
  'runs',
  {
    run_id: uuid,
    workflow: 'text',
    workflow_version: 'integer',
    status: word<RunEnd['status'] | 'running'>(),
    /** It has not ended, and only people or other programs can go on with it. */
    is_waiting: flag,
    parent_run_id: optional(uuid),
    /** The stream that asked for it, without the prefix. */
    owner_stream: 'text?',
    /** Of a run that another one started: the first of them, and the stream that asked for that. */
    root_run_id: optional(uuid),
    root_stream: 'text?',
    /** The person for whom it works. */
    started_by: optional(freeText),
    /** The people who forked it or what it works for. */
    forked_by: hidden(optional(json<readonly string[]>())),
    key: 'text?',
    tags: optional(json<Tags>()),
    subject: 'text?',
    erased: optional(flag),
    forked_from: optional(json<RunForkOrigin>()),
    /** The run that it was forked from: of lists. */
    fork_of: hidden(optional(uuid)),
    /** It works for a fork since it began: of a session, a conversation or a run. */
    is_of_fork: hidden(optional(flag)),
    created_at: time,
    updated_at: time,
    ended_at: optional(time),
    failure: optional(json<Failure>()),
    revision: 'integer',
    /** Its stream; null once the run has ended and its owner knows: recovery then leaves it out. */
    open_stream: 'text?',
    /** Only time can go on with it. */
    is_timed: flag,
    /** When a driver has to look at it, in epoch milliseconds: `DUE_NOW`, or when its next timer is due; null: only an event leads to it. */
    due_at: 'bigint?',
    number: 'bigint',
  },
  ['run_id'],
  [['number'], ['open_stream'], ['due_at', 'open_stream'], ['fork_of', 'number']],
);

/** A step that is open. */
export interface OpenStep {
  readonly stepId: string;
  readonly kind: 'call' | 'timer' | 'await' | 'child';
  readonly dueAt?: number;
  /** Of a child. */
  readonly runId?: string;
  /** Of a child that some process has started. */
  readonly isStarted?: true;
}

/** The runs whose rows may still change. Apart from their rows, so that rows that stay do not shrink. */
const openRunsTable = foldedTable(
  'open_runs',
  {
    run_id: uuid,
    /** The last event came from outside: a driver has to look at it. */
    is_to_settle: flag,
    /** The owner has taken in the end, or there is no owner. */
    is_delivered: flag,
    /** The owner needs no end: until there is one, a driver has to look at the run. */
    is_withdrawn: flag,
    steps: json<readonly OpenStep[]>(),
  },
  ['run_id'],
);

/** The awaits that are open. */
export const runAwaitsTable = foldedTable(
  'run_awaits',
  {
    /** Of the run and the step. */
    await_id: 'text',
    run_id: uuid,
    step_id: 'text',
    due_at: 'bigint?',
    opened_at: time,
    signal: freeText,
    schema: optional(json<JsonSchema>()),
    prompt: optional(json<Json>()),
    /** Of the event that opened it: the order of the inbox. */
    position: 'text',
  },
  ['await_id'],
  [['run_id'], ['position']],
);

/** The runs that streams of capabilities ask for, until they are started. */
export const runRequestsTable = foldedTable(
  'run_requests',
  { run_id: uuid, workflow: 'text', stream: 'text' },
  ['run_id'],
);

export type RunRow = RowOf<typeof runsTable>;
export type AwaitOfRun = RowOf<typeof runAwaitsTable>;
export type RunTables = SchemaOf<typeof runsTable | typeof runAwaitsTable | typeof runRequestsTable>;

export const runs = documents(runsTable, 'run_id', { isAtRest: ({ openStream }) => !openStream });
export const runAwaits = documents(runAwaitsTable, 'await_id');
export const openRuns = documents(openRunsTable, 'run_id', {
  refs: ({ runId, steps }) =>
    steps.flatMap(({ kind, stepId }) =>
      kind === 'await' ? [[runAwaits, awaitId(runId, stepId)] as const] : [],
    ),
});
export const runRequests = documents(runRequestsTable, 'run_id');

export function awaitId(runId: string, stepId: string): string {
  return `${runId}/${stepId}`;
}
