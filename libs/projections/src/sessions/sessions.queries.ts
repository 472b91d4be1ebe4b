import type { Rejection } from '#lib/kernel';
import type { MachineDefinition } from '#lib/machine';
import type { SessionStatus, SessionView } from '#lib/session';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { numberInKey } from '../paging/key-in-list.js';
import { storedText } from '../row/stored-text.js';
import type { Rows } from '../store/rows.js';
import { type SessionSummary, sessionSummary } from './session-summary.js';
import { readHistories } from './session-histories.js';

/** The session as its stream's last projected event left it; `undefined` when no row has this id. */
export async function getSession(db: Rows<'sessions'>, sessionId: string): Promise<SessionView | undefined> {
  const row = await db
    .selectFrom('sessions_v2 as session')
    .innerJoin('session_machines_v2 as machine', 'machine.machine_hash', 'session.machine_hash')
    .selectAll('session')
    .select('machine.definition')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  if (!row) return undefined;
  const histories = await readHistories(db, [row]);
  return { ...sessionSummary(row, histories), machine: JSON.parse(row.definition) as MachineDefinition };
}

/**
 * The ids of the newest sessions whose ids begin so, newest first.
 * @param start hexadecimal digits and hyphens; empty: any
 */
export async function sessionIdsStartingWith(
  db: Rows<'sessions'>,
  start: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sessions_v2')
    .select('session_id')
    .where('session_id', 'like', `${start}%`)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ session_id: id }) => id);
}

/** The filters of a list of sessions. */
export interface SessionFilter {
  readonly machineName?: string;
  readonly currentState?: string;
  readonly status?: SessionStatus;
}

/** Newest first, without their machines. */
export function listSessions(
  db: Rows<'sessions'>,
  { machineName, currentState, status }: SessionFilter = {},
  request: PageRequest = {},
): Promise<Page<SessionSummary> | Rejection> {
  return pageOf(request, {
    list: 'sessions',
    read: (after, limit) => {
      let query = db.selectFrom('sessions_v2').selectAll();
      if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
      if (currentState !== undefined) query = query.where('current_state', '=', storedText(currentState));
      if (status !== undefined) query = query.where('status', '=', status);
      if (after !== undefined) query = query.where('position', '<', numberInKey(after));
      return query.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: async (rows) => {
      const histories = await readHistories(db, rows);
      return rows.map((row) => sessionSummary(row, histories));
    },
  });
}
