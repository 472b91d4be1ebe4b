import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { isRejection, type Rejection } from '#lib/kernel';
import type { SessionStatus, SessionView } from '#lib/decisions/session';
import {
  getSession,
  type LabelFilter,
  listSessions,
  type WithoutHistory,
  type Page,
  type PageRequest,
  type Rows,
} from '#lib/read-models';
import { hasWaitingRun, withWaitingRun } from '#lib/tasks/core';

/** The read models of sessions and of their waiting runs. */
export const SESSION_ROWS = ['sessions', 'tasks', 'labels'] as const;

type Db = Rows<'sessions' | 'tasks' | 'labels'>;
type Summary = Omit<SessionView, 'machine'>;

/** A session also needs people while one of its runs waits for them: its own stream shows it as open. */
export async function sessionWithWaits(
  db: Db,
  sessionId: string,
  history?: WithoutHistory,
): Promise<SessionView | undefined> {
  const session = await getSession(db, sessionId, history);
  if (session?.status !== 'open') return session;
  const waiting = await withWaitingRun(db, [sessionId]);
  return waiting.has(sessionId) ? { ...session, status: 'needs_human' } : session;
}

/** As `sessionWithWaits`, for a page of sessions, newest first. */
export async function sessionsWithWaits(
  db: Db,
  query: PageRequest & {
    readonly machineName?: string;
    readonly currentState?: string;
    readonly status?: SessionStatus;
    readonly forkedFrom?: string;
    readonly idPrefix?: string;
    readonly history?: WithoutHistory;
  } & LabelFilter,
): Promise<Page<Summary> | Rejection> {
  const { status, forkedFrom: parentId, history, ...filter } = query;
  const { equal, conditions } = meant(status);
  const forks = parentId !== undefined && { parentId };
  const page = await listSessions(db, { ...filter, ...forks, ...equal }, query, conditions, history);
  if (isRejection(page)) return page;
  const open = page.items.filter((one) => one.status === 'open');
  const waiting = await withWaitingRun(
    db,
    open.map(({ sessionId }) => sessionId),
  );
  const items = page.items.map((one) =>
    one.status === 'open' && waiting.has(one.sessionId) ? { ...one, status: 'needs_human' as const } : one,
  );
  return { ...page, items };
}

/** A status as conditions on rows of sessions. */
function meant(status: SessionStatus | undefined): {
  readonly equal: { readonly status?: SessionStatus };
  readonly conditions: readonly Expression<SqlBool>[];
} {
  const eb = expressionBuilder<{ sessions: { status: string } }, 'sessions'>();
  if (status === 'open') return { equal: { status }, conditions: [eb.not(hasWaitingRun())] };
  if (status !== 'needs_human') return { equal: status === undefined ? {} : { status }, conditions: [] };
  const isWaiting = sql<SqlBool>`(status = 'needs_human' or (status = 'open' and ${hasWaitingRun()}))`;
  return { equal: {}, conditions: [isWaiting] };
}
