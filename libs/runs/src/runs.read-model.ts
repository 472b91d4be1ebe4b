import type { ActivityRegistry } from '#lib/activity';
import type { RecordedEvent, Rejection } from '#lib/kernel';
import {
  type Change,
  type Handler,
  insertRow,
  type Page,
  pageOf,
  type PageRequest,
  type Projection,
  type ReadStore,
  type RowOf,
  type Rows,
  statement,
  storedTime,
  table,
  timeFromStored,
} from '#lib/projections';
import {
  isExternal,
  type RunEnd,
  type RunIndex,
  type RuntimeEvent,
  type WorkflowRegistry,
} from '#lib/workflow';

const runsTable = table(
  'runs_v1',
  {
    run_id: 'text',
    stream: 'text',
    workflow: 'text',
    workflow_version: 'integer',
    status: 'text',
    parent_run_id: 'text?',
    created_at: 'bigint',
    updated_at: 'bigint',
    ended_at: 'bigint?',
    revision: 'integer',
    /** 1 where the last event came from outside: a driver has to look at it. */
    is_to_settle: 'integer',
    /** 0 while an end was not seen at its owner. */
    is_delivered: 'integer',
    position: 'text',
  },
  ['run_id'],
  [['position'], ['stream']],
);

/** The steps that are open. */
const runStepsTable = table(
  'run_steps_v1',
  { run_id: 'text', step_id: 'text', kind: 'text', due_at: 'bigint?', opened_at: 'bigint' },
  ['run_id', 'step_id'],
  [['due_at'], ['kind']],
);

type Tables = {
  runs_v1: RowOf<typeof runsTable>;
  run_steps_v1: RowOf<typeof runStepsTable>;
};

const addRun = insertRow(runsTable);
const addStep = insertRow(runStepsTable);

const advance = statement<{ runId: string; revision: number; isToSettle: number; updatedAt: number }>(
  (db, given) =>
    db
      .withTables<Tables>()
      .updateTable('runs_v1')
      .set({ revision: given.revision, is_to_settle: given.isToSettle, updated_at: given.updatedAt })
      .where('run_id', '=', given.runId),
);

const close = statement<{ runId: string; stepId: string }>((db, { runId, stepId }) =>
  db
    .withTables<Tables>()
    .deleteFrom('run_steps_v1')
    .where('run_id', '=', runId)
    .where('step_id', '=', stepId),
);

const closeUnlessChild = statement<{ runId: string; stepId: string }>((db, { runId, stepId }) =>
  db
    .withTables<Tables>()
    .deleteFrom('run_steps_v1')
    .where('run_id', '=', runId)
    .where('step_id', '=', stepId)
    .where('kind', '<>', 'child'),
);

const closeAll = statement<{ runId: string }>((db, { runId }) =>
  db.withTables<Tables>().deleteFrom('run_steps_v1').where('run_id', '=', runId),
);

const end = statement<{ runId: string; status: string; endedAt: number }>((db, { runId, status, endedAt }) =>
  db
    .withTables<Tables>()
    .updateTable('runs_v1')
    .set({ status, ended_at: endedAt })
    .where('run_id', '=', runId),
);

const delivered = statement<{ runId: string }>((db, { runId }) =>
  db.withTables<Tables>().updateTable('runs_v1').set({ is_delivered: 1 }).where('run_id', '=', runId),
);

/** The runs of these workflows, and the steps that they have open. */
export function runsProjection(
  workflows: WorkflowRegistry,
  activities: ActivityRegistry,
): Projection<'runs'> {
  const handler: Handler<RuntimeEvent> = (event, runId) => [
    ...changesOf(event, runId, activities),
    advance({
      runId,
      revision: event.revision,
      isToSettle: isExternal(event, activities) ? 1 : 0,
      updatedAt: storedTime(event.occurredAt),
    }),
  ];
  return {
    name: 'runs',
    version: 1,
    tables: [runsTable, runStepsTable],
    on: Object.fromEntries(workflows.all.map(({ name }) => [name, handler])),
  };
}

function changesOf(
  event: RecordedEvent<RuntimeEvent>,
  runId: string,
  activities: ActivityRegistry,
): readonly Change[] {
  const call = activities.roleOf(event);
  if (call) {
    const { stepId } = event.data as { stepId: string };
    return call.role === 'requested' ? [opened(event, runId, 'call')] : [close({ runId, stepId })];
  }
  switch (event.type) {
    case 'WorkflowStarted':
      return [started(event, runId)];
    case 'TimerStarted':
      return [opened(event, runId, 'timer')];
    case 'SignalAwaited':
      return [opened(event, runId, 'await')];
    case 'ChildStarted':
      return [opened(event, runId, 'child')];
    case 'TimerFired':
    case 'SignalReceived':
      return [close({ runId, stepId: event.data.stepId })];
    case 'ChildEnded':
      return [close({ runId, stepId: event.data.stepId }), delivered({ runId: event.data.runId })];
    case 'StepCancelled':
      return [closeUnlessChild({ runId, stepId: event.data.stepId })];
    case 'WorkflowEnded':
      return ended(event, runId, event.data.status);
    case 'WorkflowGivenUp':
      return ended(event, runId, 'failed');
    default:
      return [];
  }
}

function started(
  { data, stream, occurredAt, position }: Extract<RecordedEvent<RuntimeEvent>, { type: 'WorkflowStarted' }>,
  runId: string,
): Change {
  const at = storedTime(occurredAt);
  return addRun({
    run_id: runId,
    stream,
    workflow: data.workflow,
    workflow_version: data.version,
    status: 'running',
    parent_run_id: data.owner && 'run' in data.owner ? data.owner.run : null,
    created_at: at,
    updated_at: at,
    ended_at: null,
    revision: 0,
    is_to_settle: 1,
    is_delivered: data.owner && 'run' in data.owner ? 0 : 1,
    position,
  });
}

function opened({ data, occurredAt }: RecordedEvent, runId: string, kind: string): Change {
  const { stepId, afterMs } = data as { stepId: string; afterMs?: number };
  const at = storedTime(occurredAt);
  const due = afterMs === undefined ? null : at + afterMs;
  return addStep({ run_id: runId, step_id: stepId, kind, due_at: due, opened_at: at });
}

function ended({ occurredAt }: RecordedEvent, runId: string, status: RunEnd['status']): readonly Change[] {
  return [closeAll({ runId }), end({ runId, status, endedAt: storedTime(occurredAt) })];
}

/** A run in a list. `running` also while it waits: only the run itself says for what. */
export interface RunSummary {
  readonly runId: string;
  readonly workflow: string;
  readonly workflowVersion: number;
  readonly status: 'running' | RunEnd['status'];
  /** The run that started it. */
  readonly parent?: string;
  /** ISO 8601, UTC, like the other times. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  readonly revision: number;
}

/** What a list of runs is narrowed to. */
export interface RunFilter {
  readonly workflow?: string;
  readonly status?: string;
  /** ISO 8601: started at or after this time, and before that one. */
  readonly from?: string;
  readonly to?: string;
}

/** Newest first. */
export function listRuns(
  db: Rows<'runs'>,
  { workflow, status, from, to }: RunFilter,
  request: PageRequest = {},
): Promise<Page<RunSummary> | Rejection> {
  return pageOf(request, {
    list: 'runs',
    read: (after, limit) => {
      let query = db.withTables<Tables>().selectFrom('runs_v1').selectAll();
      if (workflow !== undefined) query = query.where('workflow', '=', workflow);
      if (status !== undefined) query = query.where('status', '=', status);
      if (from !== undefined) query = query.where('created_at', '>=', storedTime(from));
      if (to !== undefined) query = query.where('created_at', '<', storedTime(to));
      if (after !== undefined) query = query.where('position', '<', after);
      return query.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: (row) => row.position,
    toItems: (rows) => rows.map(summaryOf),
  });
}

function summaryOf(row: RowOf<typeof runsTable>): RunSummary {
  return {
    runId: row.run_id,
    workflow: row.workflow,
    workflowVersion: row.workflow_version,
    status: row.status as RunSummary['status'],
    ...(row.parent_run_id !== null && { parent: row.parent_run_id }),
    createdAt: timeFromStored(row.created_at),
    updatedAt: timeFromStored(row.updated_at),
    ...(row.ended_at !== null && { endedAt: timeFromStored(row.ended_at) }),
    revision: row.revision,
  };
}

/** Which runs may need a driver, as the rows know it. */
export function runIndex({ db }: ReadStore): RunIndex {
  return {
    toWake: async (before, after, limit) => {
      const rows = await db
        .withTables<Tables>()
        .selectFrom('runs_v1 as run')
        .leftJoin('run_steps_v1 as step', 'step.run_id', 'run.run_id')
        .select(['run.stream', 'run.revision', 'run.is_to_settle', 'run.is_delivered', 'run.ended_at'])
        .select((eb) => eb.fn.min('step.due_at').as('due_at'))
        .select((eb) =>
          eb.fn.max(eb.case().when('step.kind', '=', 'call').then(1).else(0).end()).as('has_call'),
        )
        .where('run.stream', '>', after)
        .where((eb) =>
          eb.or([
            eb.and([eb('run.ended_at', 'is', null), eb('run.is_to_settle', '=', 1)]),
            eb.and([eb('run.ended_at', 'is not', null), eb('run.is_delivered', '=', 0)]),
            eb('step.kind', '=', 'call'),
            eb('step.due_at', '<', before.getTime()),
          ]),
        )
        .groupBy([
          'run.run_id',
          'run.stream',
          'run.revision',
          'run.is_to_settle',
          'run.is_delivered',
          'run.ended_at',
        ])
        .orderBy('run.stream')
        .limit(limit)
        .execute();
      return rows.map((row) => {
        const isTimer = row.ended_at === null && row.is_to_settle === 0 && row.has_call !== 1;
        const { stream, revision } = row;
        return { stream, revision, ...(isTimer && { dueAt: Number(row.due_at) }) };
      });
    },
  };
}
