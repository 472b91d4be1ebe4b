import { usageTotals } from '#lib/call-rules';
import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { Rejection } from '#lib/kernel';
import {
  bytesIn,
  idStartsWith,
  isWithin,
  type Page,
  pageOfRows,
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
  labelledRows,
  type LabelFilter,
} from '#lib/read-models';
import { type AskedRun, dueOrNever, type RunIndex } from '#lib/workflow';
import { awaitView } from './run-view.js';
import type { AwaitView, RunStatus, RunSummary } from './run.views.js';
import {
  type AwaitOfRun,
  runAwaitsTable,
  runRequestsTable,
  type RunRow,
  runsTable,
  type RunTables,
} from './runs.tables.js';

interface RunFilter {
  readonly workflow?: string;
  readonly status?: RunStatus;
  /** ISO 8601: started at or after `from`, and before `to`. */
  readonly from?: string;
  readonly to?: string;
  readonly forkedFrom?: string;
  /** Only runs whose ids begin with this. */
  readonly idPrefix?: string;
}

/** Runs, the newest first. */
export function listRuns(
  db: Rows<'runs' | 'llm_calls' | 'labels'>,
  { workflow, status, from, to, forkedFrom, idPrefix, ...labels }: RunFilter & LabelFilter,
  request: PageRequest = {},
): Promise<Page<RunSummary> | Rejection> {
  return pageOfRows(request, {
    list: 'runs',
    ...labelledRows(
      'run',
      db.withTables<RunTables>().selectFrom(runsTable.name).selectAll(runsTable.name),
      labels,
      {
        db,
        indexed: ['fork_of'],
        equal: { workflow, fork_of: forkedFrom === undefined ? undefined : storedUuid(forkedFrom) },
        conditions: [
          ...(status === undefined ? [] : [hasStatus(status)]),
          ...isWithin('created_at', { from, to }),
        ],
        span: idStartsWith(runsTable, 'run_id', idPrefix),
      },
    ),
    table: runsTable,
    besides: bytesIn(
      runAwaitsTable,
      sql`${sql.ref(`${runAwaitsTable.name}.run_id`)} = ${sql.ref(`${runsTable.name}.run_id`)}`,
    ),
    by: 'number',
    order: 'desc',
    toItems: async (rows) => {
      const ids = rows.map(({ run_id }) => uuidFromStored(run_id));
      const awaits = await openAwaits(db, ids);
      const usage = await usageOfRuns(db, ids);
      return rows.map((row) => {
        const runId = uuidFromStored(row.run_id);
        return summaryOf(row, awaits.get(runId) ?? [], usage.get(runId));
      });
    },
  });
}

function hasStatus(status: RunStatus): Expression<SqlBool> {
  const eb = expressionBuilder<RunTables, typeof runsTable.name>();
  if (status !== 'running' && status !== 'waiting') return eb('status', '=', status);
  return eb.and([eb('status', '=', 'running'), eb('is_waiting', '=', status === 'waiting' ? 1 : 0)]);
}

/** The numbers of runs that have not ended, by status. */
export async function countOpenRuns(
  db: Rows<'runs'>,
): Promise<{ readonly running: number; readonly waiting: number }> {
  const open = db.withTables<RunTables>().selectFrom(runsTable.name).where('open_stream', 'is not', null);
  const { all, waiting } = await open
    .where('ended_at', 'is', null)
    .select(({ fn }) => fn.countAll().as('all'))
    .select((eb) => eb.fn.count(eb.case().when('is_waiting', '=', 1).then(1).end()).as('waiting'))
    .executeTakeFirstOrThrow();
  return { running: Number(all) - Number(waiting), waiting: Number(waiting) };
}

async function openAwaits(
  db: Rows<'runs'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AwaitOfRun[]>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .withTables<RunTables>()
    .selectFrom(runAwaitsTable.name)
    .selectAll()
    .where('run_id', 'in', runIds.map(storedUuid))
    .orderBy('position')
    .execute();
  const awaits = new Map<string, AwaitOfRun[]>();
  for (const row of rows) {
    const runId = uuidFromStored(row.run_id);
    awaits.set(runId, [...(awaits.get(runId) ?? []), row]);
  }
  return awaits;
}

function summaryOf(
  row: RunRow,
  awaits: readonly AwaitOfRun[],
  { calls, tokens, costUSD }: CallTotals = NO_CALLS,
): RunSummary {
  const { parentRunId, ...run } = recordOf(runsTable, pick(row, SHOWN));
  return {
    ...run,
    ...(row.is_waiting === 1 && { status: 'waiting' }),
    awaiting: awaits.map(awaitOfRow),
    ...(parentRunId !== undefined && { parent: parentRunId }),
    usage: usageTotals(calls, tokens, costUSD),
  };
}

const SHOWN = [
  'run_id',
  'workflow',
  'workflow_version',
  'status',
  'failure',
  'parent_run_id',
  'key',
  'tags',
  'subject',
  'erased',
  'forked_from',
  'created_at',
  'updated_at',
  'ended_at',
  'revision',
] as const;

/** An open await, at the position of the event that opened it. */
export type AwaitRow = AwaitOfRun & Pick<RunRow, 'workflow' | 'owner_stream'>;

/**
 * Open awaits of runs, oldest first, after this position.
 * @param internal workflows of which only the runs that a stream has asked for are listed: that stream takes the answer
 */
export function awaitRows(
  db: Rows<'runs'>,
  internal: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<readonly AwaitRow[]> {
  let query = db
    .withTables<RunTables>()
    .selectFrom(`${runAwaitsTable.name} as open`)
    .innerJoin(`${runsTable.name} as run`, 'run.run_id', 'open.run_id')
    .selectAll('open')
    .select(['run.workflow', 'run.owner_stream']);
  if (internal.length > 0)
    query = query.where((eb) =>
      eb.or([eb('run.workflow', 'not in', internal), eb('run.owner_stream', 'is not', null)]),
    );
  if (after !== undefined) query = query.where('open.position', '>', after);
  return query.orderBy('open.position').limit(limit).execute();
}

/** An await, from its row. */
export function awaitOfRow(row: AwaitOfRun): AwaitView {
  const { stepId, signal, schema, prompt, openedAt } = recordOf(runAwaitsTable, row);
  const dueAt = dueOrNever(row.due_at ?? Infinity);
  return awaitView({ awaitId: stepId, signal, schema, prompt, since: openedAt, dueAt });
}

/** A page, by run id, of runs that streams ask for and that no process has started. */
async function requestedRuns(db: Rows<'runs'>, after: string, limit: number): Promise<readonly AskedRun[]> {
  const query = db.withTables<RunTables>().selectFrom(runRequestsTable.name).selectAll();
  const rows = await query.where('run_id', '>', storedUuid(after)).orderBy('run_id').limit(limit).execute();
  return rows.map((row) => recordOf(runRequestsTable, row));
}

/** The index of runs that may need a driver, from the rows. */
export function runIndex({ db }: Pick<ReadStore, 'db'>): RunIndex {
  return {
    toBegin: (after, limit) => requestedRuns(db, after, limit),
    toWake: async (before, after, limit) => {
      const [at, stream] = placeOf(after);
      const rows = await db
        .withTables<RunTables>()
        .selectFrom(runsTable.name)
        .select([
          'open_stream',
          'revision',
          'workflow_version',
          'updated_at',
          'ended_at',
          'is_timed',
          'due_at',
        ])
        .where('open_stream', 'is not', null)
        .where('due_at', '<', before.getTime())
        .where('due_at', '>=', at)
        .where((eb) => eb.or([eb('due_at', '>', at), eb('open_stream', '>', stream)]))
        .orderBy('due_at')
        .orderBy('open_stream')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        place: `${row.due_at} ${row.open_stream}`,
        stream: row.open_stream ?? '',
        revision: row.revision,
        version: row.workflow_version,
        updatedAt: row.updated_at,
        hasEnded: row.ended_at !== null,
        ...(row.is_timed === 1 && { dueAt: Number(row.due_at) }),
      }));
    },
  };
}

/** The due time and the stream in a place. */
function placeOf(place: string): readonly [number, string] {
  const [at = '', stream = ''] = place.split(' ');
  return [Number(at), stream];
}
