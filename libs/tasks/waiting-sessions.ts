import { type Expression, type SqlBool, sql } from 'kysely';
import { type Rows, type SchemaOf, sessions, storedUuid, uuidFromStored } from '#lib/read-models';
import { tasksTable } from './tasks.tables.js';

/** Of a row of sessions: whether a run that works for it waits for people. */
export function hasWaitingRun(): Expression<SqlBool> {
  const { name } = tasksTable;
  const ofSession = sql`${sql.ref(`${name}.session_id`)} = ${sql.ref(`${sessions.table.name}.session_id`)}`;
  return sql<SqlBool>`exists (select 1 from ${sql.table(name)} where ${ofSession} and ${sql.ref(`${name}.status`)} = 'open' and run_id is not null)`;
}

/** Those of these sessions for which a run waits for people. */
export async function withWaitingRun(
  db: Rows<'tasks'>,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (sessionIds.length === 0) return new Set();
  const rows = await db
    .withTables<SchemaOf<typeof tasksTable>>()
    .selectFrom(tasksTable.name)
    .select('session_id')
    .where('session_id', 'in', sessionIds.map(storedUuid))
    .where('status', '=', 'open')
    .where('run_id', 'is not', null)
    .execute();
  return new Set(rows.flatMap(({ session_id }) => (session_id ? [uuidFromStored(session_id)] : [])));
}
