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
interface RunForkOrigin extends Pick<ForkedFrom, 'revision' | 'by' | 'reason'> {
  readonly runId: string;
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
    /** The run has not ended, and only people or other programs can continue it. */
    is_waiting: flag,
    parent_run_id: optional(uuid),
    /** The stream that asked for the run, without the prefix. */
    owner_stream: 'text?',
    /** For a run that another run started: the run at the top, and the stream that asked for that one. */
    root_run_id: optional(uuid),
    root_stream: 'text?',
    /** The person on whose behalf it runs. */
    started_by: optional(freeText),
    /** The people who forked it, or the run or session it works for. */
    forked_by: hidden(optional(json<readonly string[]>())),
    key: 'text?',
    tags: optional(json<Tags>()),
    subject: 'text?',
    erased: optional(flag),
    forked_from: optional(json<RunForkOrigin>()),
    /** The run that it was forked from. Read by lists only. */
    fork_of: hidden(optional(uuid)),
    /** The run works for a fork of a session, a conversation or a run since it began. */
    is_of_fork: hidden(optional(flag)),
    created_at: time,
    updated_at: time,
    ended_at: optional(time),
    failure: optional(json<Failure>()),
    revision: 'integer',
    /** The run's stream; null once the run has ended and its owner knows: then recovery leaves it out. */
    open_stream: 'text?',
    /** The run waits only for a time. */
    is_timed: flag,
    /**
     * The time at which a driver has to look at the run, in epoch milliseconds: `DUE_NOW`, or when its next timer is due; null if only an event can
     * wake it.
     */
    due_at: 'bigint?',
    number: 'bigint',
  },
  ['run_id'],
  [['number'], ['open_stream'], ['due_at', 'open_stream'], ['fork_of', 'number']],
);

/** An open step. */
export interface OpenStep {
  readonly stepId: string;
  readonly kind: 'call' | 'timer' | 'await' | 'child';
  readonly dueAt?: number;
  /** Of a child. */
  readonly runId?: string;
  /** True for a child that a process has started. */
  readonly isStarted?: true;
}

/** The runs whose rows may still change. They have a table of their own, so that rows that stay do not shrink. */
const openRunsTable = foldedTable(
  'open_runs',
  {
    run_id: uuid,
    /** The last event came from outside, so a driver has to look at the run. */
    is_to_settle: flag,
    /** The owner has taken in the end, or there is no owner. */
    is_delivered: flag,
    /** The owner needs no end, so a driver has to look at the run until it has ended. */
    is_withdrawn: flag,
    steps: json<readonly OpenStep[]>(),
  },
  ['run_id'],
);

/** The open awaits. */
export const runAwaitsTable = foldedTable(
  'run_awaits',
  {
    await_id: 'text',
    run_id: uuid,
    step_id: 'text',
    due_at: 'bigint?',
    opened_at: time,
    signal: freeText,
    schema: optional(json<JsonSchema>()),
    prompt: optional(json<Json>()),
    /** The position of the event that opened the await: the order of the inbox. */
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
