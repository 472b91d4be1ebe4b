import {
  type Change,
  deleteRow,
  facts,
  type Fold,
  foldedTable,
  type LoopModels,
  type ReadStore,
  recordOf,
  type RecordOf,
  type SchemaOf,
  servedTable,
  uuid,
} from '#lib/read-models';

/** Runs that have ended and whose spans are still to be exported. */
const endedRunsTable = foldedTable(
  'trace_runs',
  { run_id: uuid, stream: 'text', number: 'bigint' },
  ['run_id'],
  [['number']],
);

type EndedRun = RecordOf<typeof endedRunsTable>;

const endedRuns = facts(endedRunsTable, { once: true });

const ended: Fold = (page, { stream, number }, runId) => page.add(endedRuns, { runId, stream, number });

/**
 * The runs whose spans are to be exported, in a loop of its own: it begins with the first start with a collector. A rebuild lists every
 * run of the log again: that is how history is exported under a newer convention.
 */
export const tracesLoop = {
  name: 'traces',
  models: [
    {
      name: 'traces',
      kinds: [endedRuns],
      on: {},
      onRuns: { WorkflowEnded: ended, WorkflowGivenUp: ended },
    },
  ],
} as const satisfies LoopModels;

/** In the order of their ends. */
export async function runsToExport({ db }: ReadStore, limit: number): Promise<readonly EndedRun[]> {
  const rows = await db
    .withTables<SchemaOf<typeof endedRunsTable>>()
    .selectFrom(endedRunsTable.name)
    .selectAll()
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map((row) => recordOf(endedRunsTable, row));
}

type Remove = (run: Pick<EndedRun, 'runId'>) => Change;

/** By table: there are two, of which one is read. */
const removals = new Map<string, Remove>();

/** The spans of these runs have been taken. */
export async function removeExported(store: ReadStore, runIds: readonly string[]): Promise<void> {
  const table = await servedTable(store.db, tracesLoop, endedRunsTable.name);
  if (table === undefined) return;
  const remove = removals.get(table) ?? deleteRow({ ...endedRunsTable, name: table }, ['run_id']);
  removals.set(table, remove);
  await store.write(runIds.map((runId) => remove({ runId })));
}
