import type { RecordedEvent } from '#lib/kernel';
import {
  type Change,
  deleteRow,
  insertRowOnce,
  type Projection,
  type ReadStore,
  recordOf,
  type RecordOf,
  type SchemaOf,
  table,
  uuid,
} from '#lib/read-models';

/** Runs that have ended and whose spans are still to be exported. */
const endedRunsTable = table(
  'trace_runs_v1',
  { run_id: uuid, stream: 'text', position: 'text' },
  ['run_id'],
  [['position']],
);

type EndedRun = RecordOf<typeof endedRunsTable>;

const addRun = insertRowOnce(endedRunsTable);

export const removeExported = deleteRow(endedRunsTable, ['run_id']);

/**
 * The runs whose spans are to be exported. A rebuild lists every run of the log again: that is how history is exported under a
 * newer convention.
 */
export const tracesProjection: Projection<'traces'> = {
  name: 'traces',
  version: 1,
  tables: [endedRunsTable],
  on: {},
  onRuns: () => ({ WorkflowEnded: ended, WorkflowGivenUp: ended }),
};

function ended({ stream, position }: RecordedEvent, runId: string): Change[] {
  return [addRun({ runId, stream, position })];
}

/** In the order of their ends. */
export async function runsToExport({ db }: ReadStore, limit: number): Promise<readonly EndedRun[]> {
  const rows = await db
    .withTables<SchemaOf<typeof endedRunsTable>>()
    .selectFrom('trace_runs_v1')
    .selectAll()
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => recordOf(endedRunsTable, row));
}
