import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Nullable,
  sql,
  type SqlBool,
} from 'kysely';
import type { Rejection } from '#lib/kernel';
import {
  bytesIn,
  isWithin,
  type Page,
  pageOfRows,
  numberInKey,
  type PageRequest,
  pick,
  type ReadStore,
  recordOf,
  type Rows,
  storedUuid,
  uuidFromStored,
  type CallTotals,
  NO_CALLS,
  usageOfRuns,
} from '#lib/read-models';
import { dueOrNever, type RunIndex } from '#lib/workflow';
import { requestedRuns } from './run-requests.read-model.js';
import { usageView } from './run-usage.js';
import { awaitView } from './run-view.js';
import type { AwaitView, RunStatus, RunSummary } from './run.views.js';
import { type RunRow, runsTable, runStepsTable, type RunTables, type StepRow } from './runs.read-model.js';

/** The filters of a list of runs. */
interface RunFilter {
  readonly workflow?: string;
  readonly status?: RunStatus;
  /** ISO 8601: started at or after this time, and before that one. */
  readonly from?: string;
  readonly to?: string;
}

/** Newest first. */
export function listRuns(
  db: Rows<'runs' | 'llm_calls'>,
  { workflow, status, from, to }: RunFilter,
  request: PageRequest = {},
): Promise<Page<RunSummary> | Rejection> {
  return pageOfRows(request, {
    list: 'runs',
    rows: db.withTables<RunTables>().selectFrom('runs_v4').selectAll(),
    filter: {
      db,
      indexed: [],
      equal: { workflow },
      conditions: [
        ...(status === undefined ? [] : [hasStatus(status)]),
        ...isWithin('created_at', { from, to }),
      ],
    },
    table: runsTable,
    besides: bytesIn(runStepsTable, sql`run_steps_v4.run_id = runs_v4.run_id`),
    by: 'position',
    readKey: numberInKey,
    order: 'desc',
    toItems: async (rows) => {
      const ids = rows.map(({ run_id }) => uuidFromStored(run_id));
      const steps = await openSteps(db, ids);
      const usage = await usageOfRuns(db, ids);
      return rows.map((row) => {
        const runId = uuidFromStored(row.run_id);
        return summaryOf(row, steps.get(runId) ?? [], usage.get(runId));
      });
    },
  });
}

/** The status of an ended run is in its row; one that has not ended waits if an await is open and no call is. */
function hasStatus(status: RunStatus): Expression<SqlBool> {
  const eb = expressionBuilder<RunTables, 'runs_v4'>();
  if (status !== 'running' && status !== 'waiting') return eb('status', '=', status);
  const waits = isWaiting();
  return eb.and([eb('status', '=', 'running'), status === 'waiting' ? waits : eb.not(waits)]);
}

/** Whether a run that has not ended waits. */
function isWaiting(): Expression<SqlBool> {
  const eb = expressionBuilder<RunTables, 'runs_v4'>();
  const open = (kind: string) =>
    eb.exists(
      eb
        .selectFrom('run_steps_v4 as step')
        .select('step.step_id')
        .whereRef('step.run_id', '=', 'runs_v4.run_id')
        .where('step.kind', '=', kind),
    );
  return eb.and([open('await'), eb.not(open('call'))]);
}

/** The numbers of runs that have not ended, by status. */
export async function countOpenRuns(
  db: Rows<'runs'>,
): Promise<{ readonly running: number; readonly waiting: number }> {
  const open = db.withTables<RunTables>().selectFrom('runs_v4').where('open_stream', 'is not', null);
  const { all, waiting } = await open
    .where('ended_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('all'))
    .select((eb) => eb.fn.count(eb.case().when(isWaiting()).then(1).end()).as('waiting'))
    .executeTakeFirstOrThrow();
  return { running: Number(all) - Number(waiting), waiting: Number(waiting) };
}

async function openSteps(
  db: Rows<'runs'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly StepRow[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .withTables<RunTables>()
    .selectFrom('run_steps_v4')
    .selectAll()
    .where('run_id', 'in', runIds.map(storedUuid))
    .where('kind', 'in', ['await', 'call'])
    .orderBy('position')
    .execute();
  const steps = new Map<string, StepRow[]>();
  for (const row of rows) {
    const runId = uuidFromStored(row.run_id);
    steps.set(runId, [...(steps.get(runId) ?? []), row]);
  }
  return steps;
}

function summaryOf(
  row: RunRow,
  steps: readonly StepRow[],
  { calls, tokens, costUSD }: CallTotals = NO_CALLS,
): RunSummary {
  const awaiting = steps.filter(({ kind }) => kind === 'await').map(awaitOfRow);
  const isWaiting = row.status === 'running' && awaiting.length > 0 && awaiting.length === steps.length;
  const { parentRunId, ...run } = recordOf(runsTable, pick(row, SHOWN));
  return {
    ...run,
    ...(isWaiting && { status: 'waiting' }),
    awaiting,
    ...(parentRunId !== undefined && { parent: parentRunId }),
    usage: usageView(calls, tokens, costUSD),
  };
}

const SHOWN = [
  'run_id',
  'workflow',
  'workflow_version',
  'status',
  'failure',
  'parent_run_id',
  'created_at',
  'updated_at',
  'ended_at',
  'revision',
] as const;

/** An open await, at the position of the event that opened it. */
export type AwaitRow = StepRow & Pick<RunRow, 'workflow' | 'owner_stream'>;

/**
 * Open awaits of runs, oldest first, after this position.
 * @param internal workflows: of them, only runs that a stream has asked for: it takes the answer
 */
export function awaitRows(
  db: Rows<'runs'>,
  internal: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<readonly AwaitRow[]> {
  let query = db
    .withTables<RunTables>()
    .selectFrom('run_steps_v4 as step')
    .innerJoin('runs_v4 as run', 'run.run_id', 'step.run_id')
    .selectAll('step')
    .select(['run.workflow', 'run.owner_stream'])
    .where('step.kind', '=', 'await');
  if (internal.length > 0)
    query = query.where((eb) =>
      eb.or([eb('run.workflow', 'not in', internal), eb('run.owner_stream', 'is not', null)]),
    );
  if (after !== undefined) query = query.where('step.position', '>', after);
  return query.orderBy('step.position').limit(limit).execute();
}

/** An await as its row keeps it. */
export function awaitOfRow(row: StepRow): AwaitView {
  const { stepId, signal = '', schema, prompt, openedAt } = recordOf(runStepsTable, row);
  // Rows of redial 0.2.0 may hold any time.
  const dueAt = dueOrNever(row.due_at ?? Infinity);
  return awaitView({ awaitId: stepId, signal, schema, prompt, since: openedAt, dueAt });
}

/** A child that its parent has asked for, and that no process has started. */
function isUnstarted(eb: ExpressionBuilder<OpenRuns, 'run' | 'step'>): Expression<SqlBool> {
  const child = eb.selectFrom('runs_v4 as child').select('child.run_id');
  const started = child.whereRef('child.run_id', '=', 'step.child_run_id');
  return eb.and([eb('step.kind', '=', 'child'), eb.not(eb.exists(started))]);
}

type OpenRuns = RunTables & { readonly run: RunRow; readonly step: Nullable<StepRow> };

const WOKEN = [
  'run.open_stream',
  'run.revision',
  'run.workflow_version',
  'run.is_to_settle',
  'run.is_delivered',
  'run.updated_at',
  'run.ended_at',
] as const;

/** Which runs may need a driver, as the rows know it. */
export function runIndex(store: ReadStore): RunIndex {
  const { db } = store;
  return {
    toBegin: (after, limit) => requestedRuns(store, after, limit),
    toWake: async (before, after, limit) => {
      const rows = await db
        .withTables<RunTables>()
        .selectFrom('runs_v4 as run')
        .leftJoin('run_steps_v4 as step', 'step.run_id', 'run.run_id')
        .select(WOKEN)
        .select((eb) => eb.fn.min('step.due_at').as('due_at'))
        .select((eb) =>
          eb.fn
            .max(eb.case().when('step.kind', 'in', ['call', 'child']).then(1).else(0).end())
            .as('has_work'),
        )
        .where('run.open_stream', '>', after)
        .where((eb) =>
          eb.or([
            eb.and([eb('run.ended_at', 'is', null), eb('run.is_to_settle', '=', 1)]),
            eb.and([eb('run.ended_at', 'is not', null), eb('run.is_delivered', '=', 0)]),
            eb('step.kind', '=', 'call'),
            isUnstarted(eb),
            eb('step.due_at', '<', before.getTime()),
          ]),
        )
        .groupBy(['run.run_id', ...WOKEN])
        .orderBy('run.open_stream')
        .limit(limit)
        .execute();
      return rows.map((row) => {
        const isTimer = row.ended_at === null && row.is_to_settle === 0 && row.has_work !== 1;
        return {
          stream: row.open_stream ?? '',
          revision: row.revision,
          version: row.workflow_version,
          updatedAt: row.updated_at,
          hasEnded: row.ended_at !== null,
          ...(isTimer && { dueAt: Number(row.due_at) }),
        };
      });
    },
  };
}
