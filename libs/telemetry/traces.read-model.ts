import {
  type Change,
  deleteRow,
  facts,
  type Fold,
  type LoopModels,
  type ReadStore,
  recordOf,
  type RecordOf,
  type SchemaOf,
  servedTable,
  table,
  uuid,
} from '#lib/read-models';

/**
 * Not `ROWS_VERSION`: with each version the loop begins again, and the spans of the whole history are exported again. It changes only with
 * the tables of this loop or the convention of the spans. Version 1 is that of 0.2, whose place is not continued.
 */
const TRACES_VERSION = 2;

/** Runs that have ended and whose spans are still to be exported. */
const endedRunsTable = table(
  `trace_runs_v${TRACES_VERSION}`,
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
  version: TRACES_VERSION,
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

/** By table: there are two, and one of them is read. */
const removals = new Map<string, Remove>();

/** The spans of these runs have been taken. */
export async function removeExported(store: ReadStore, runIds: readonly string[]): Promise<void> {
  const name = await servedTable(store.db, tracesLoop, endedRunsTable.name);
  if (name === undefined) return;
  const remove = removals.get(name) ?? deleteRow({ ...endedRunsTable, name }, ['run_id']);
  removals.set(name, remove);
  await store.write(runIds.map((runId) => remove({ runId })));
}
