import type { SessionStatus } from '#lib/session';
import type { Rows } from '../store/rows.js';

/** Ids of sessions, the longest unchanged first: a caller that works through them serves all alike. */
export async function sessionsWithStatus(
  db: Rows<'sessions'>,
  statuses: readonly SessionStatus[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sessions_v2')
    .select('session_id')
    .where('status', 'in', statuses)
    .orderBy('updated_at')
    .orderBy('session_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.session_id);
}

/** The numbers of sessions by their status, from an index alone. A status that none has is left out. */
export async function countSessions(db: Rows<'sessions'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('sessions_v2')
    .select(({ fn }) => ['status', fn.countAll().as('sessions')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, sessions }) => [status, Number(sessions)]));
}
