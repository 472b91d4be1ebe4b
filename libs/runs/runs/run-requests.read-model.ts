import type { RecordedEvent } from '#lib/kernel';
import {
  type Change,
  deleteRow,
  insertRow,
  type ReadStore,
  recordOf,
  type SchemaOf,
  storedUuid,
  table,
  uuid,
} from '#lib/read-models';
import type { AskedRun, RunRequests } from '#lib/workflow';

/** The runs that streams of capabilities ask for, until they are started. */
export const runRequestsTable = table('run_requests_v4', { run_id: uuid, workflow: 'text', stream: 'text' }, [
  'run_id',
]);

const addRequest = insertRow(runRequestsTable);

/** The run needs no start any more. */
export const removeRequest = deleteRow(runRequestsTable, ['run_id']);

/** The run that an event of a capability's stream asks for. */
export function requestedIn(event: RecordedEvent, requests: readonly RunRequests[]): readonly Change[] {
  return requests.flatMap(({ workflow, askedBy }) => {
    const runId = askedBy(event);
    return runId === undefined ? [] : addRequest({ runId, workflow, stream: event.stream });
  });
}

/** A page, by run id. */
export async function requestedRuns(
  { db }: ReadStore,
  after: string,
  limit: number,
): Promise<readonly AskedRun[]> {
  const query = db.withTables<SchemaOf<typeof runRequestsTable>>().selectFrom('run_requests_v4').selectAll();
  const rows = await query.where('run_id', '>', storedUuid(after)).orderBy('run_id').limit(limit).execute();
  return rows.map((row) => recordOf(runRequestsTable, row));
}
