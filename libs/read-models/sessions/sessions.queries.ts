import { labelledRows, type LabelFilter } from '../labels/labels.read-model.js';
import { type Expression, sql, type SqlBool } from 'kysely';
import type { Rejection } from '#lib/kernel';
import type { MachineDefinition } from '#lib/decisions/machines';
import type { SessionStatus, SessionView, TransitionRecord } from '#lib/decisions/session';
import { type Page, type PageRequest } from '../store/page.js';
import { bytesIn, pageOfRows } from '../store/page-of-rows.js';
import { idsStartingWith, idStartsWith, type Rows } from '../store/rows.js';
import { storedUuid, uuidFromStored } from '../store/stored-values.js';
import { pick, recordOf, type RowOf, storedOf } from '../store/table.js';
import { decisionsTable } from '../decisions/decisions.tables.js';
import { sessionMachinesTable, sessionsTable } from './sessions.tables.js';

/** A session without its machine. */
export type SessionSummary = Omit<SessionView, 'machine'>;

/** Leaves the history empty: in a long session it is most of the answer. */
export type WithoutHistory = 'none';

type SessionRow = RowOf<typeof sessionsTable>;

const TRANSITION = [
  'transition_name',
  'from_state',
  'to_state',
  'reasoning',
  'meta_json',
  'is_human',
  'decided_by',
  'winning_proposal_id',
  'decided_at',
] as const;

const BYTES_OF_HISTORY = bytesIn(
  { ...decisionsTable, columns: pick(decisionsTable.columns, TRANSITION) },
  sql`${sql.table(decisionsTable.name)}.session_id = ${sql.table(sessionsTable.name)}.session_id`,
);

/** Ids in one statement. */
const IDS_AT_ONCE = 1_000;

/** One of these sessions that runs this machine; `undefined` if none does. */
export async function sessionOfMachine(
  db: Rows<'sessions'>,
  machineName: string,
  sessionIds: readonly string[],
): Promise<string | undefined> {
  for (let from = 0; from < sessionIds.length; from += IDS_AT_ONCE) {
    const row = await db
      .selectFrom(sessionsTable.name)
      .select('session_id')
      .where('session_id', 'in', sessionIds.slice(from, from + IDS_AT_ONCE).map(storedUuid))
      .where('machine_name', '=', machineName)
      .limit(1)
      .executeTakeFirst();
    if (row) return uuidFromStored(row.session_id);
  }
  return undefined;
}

/** The session after the last folded event of its stream; `undefined` if no row has this id. */
export async function getSession(
  db: Rows<'sessions'>,
  sessionId: string,
  history?: WithoutHistory,
): Promise<SessionView | undefined> {
  const row = await db
    .selectFrom(`${sessionsTable.name} as session` as const)
    .innerJoin(
      `${sessionMachinesTable.name} as machine` as const,
      'machine.machine_hash',
      'session.machine_hash',
    )
    .selectAll('session')
    .select('machine.definition')
    .where('session_id', '=', storedUuid(sessionId))
    .executeTakeFirst();
  if (!row) return undefined;
  const [summary] = await withHistories(db, [row], history);
  return summary && { ...summary, machine: JSON.parse(row.definition) as MachineDefinition };
}

/** The newest sessions whose ids begin so. */
export function sessionIdsStartingWith(db: Rows<'sessions'>, start: string, limit: number) {
  return idsStartingWith(db, sessionsTable, 'session_id', start, limit);
}

/** The filters of a list of sessions. */
export interface SessionFilter {
  readonly machineName?: string;
  readonly currentState?: string;
  readonly status?: SessionStatus;
  /** Only forks of this session. */
  readonly parentId?: string;
  /** Only sessions whose ids begin so. */
  readonly idPrefix?: string;
}

/** Newest first, without their machines. @param conditions further ones, on columns of the table of sessions */
export function listSessions(
  db: Rows<'sessions' | 'labels'>,
  query: SessionFilter & LabelFilter = {},
  request: PageRequest = {},
  conditions: readonly Expression<SqlBool>[] = [],
  history?: WithoutHistory,
): Promise<Page<SessionSummary> | Rejection> {
  return pageOfRows(request, {
    list: 'sessions',
    ...labelledRows('session', db.selectFrom(sessionsTable.name).selectAll(sessionsTable.name), query, {
      db,
      indexed: ['parent_id', 'machine_name', 'status'],
      equal: storedOf(sessionsTable, { ...query, key: undefined, subject: undefined }),
      conditions,
      span: idStartsWith(sessionsTable, 'session_id', query.idPrefix),
    }),
    table: sessionsTable,
    ...(history === undefined && { besides: BYTES_OF_HISTORY }),
    by: 'number',
    order: 'desc',
    toItems: (rows) => withHistories(db, rows, history),
  });
}

/** Ids of sessions, least recently changed first: a caller that works through them serves all alike. */
export async function sessionsWithStatus(
  db: Rows<'sessions'>,
  statuses: readonly SessionStatus[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom(sessionsTable.name)
    .select('session_id')
    .where('status', 'in', statuses)
    .orderBy('updated_at')
    .orderBy('session_id')
    .limit(limit)
    .execute();
  return rows.map((row) => uuidFromStored(row.session_id));
}

/** The numbers of sessions by status, from an index alone. A status without sessions is left out. */
export async function countSessions(db: Rows<'sessions'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(sessionsTable.name)
    .select(({ fn }) => ['status', fn.countAll().as('sessions')])
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, sessions }) => [status, Number(sessions)]));
}

/**
 * Sessions with their executed transitions, in order. Transitions added after a row was read are left out: a session and its
 * history are of one moment without a transaction around both reads.
 */
async function withHistories(
  db: Rows<'sessions'>,
  sessions: readonly SessionRow[],
  history?: WithoutHistory,
): Promise<readonly SessionSummary[]> {
  const found = sessions.map((row) => ({
    ...recordOf(sessionsTable, row),
    history: [] as TransitionRecord[],
  }));
  if (found.length === 0 || history === 'none') return found;
  const byId = new Map(found.map((session) => [session.sessionId, session]));
  const rows = await db
    .selectFrom(decisionsTable.name)
    .select(['session_id', 'revision', ...TRANSITION])
    .where(
      'session_id',
      'in',
      sessions.map(({ session_id }) => session_id),
    )
    .orderBy('session_id')
    .orderBy('number')
    .execute();
  for (const row of rows) {
    const {
      winningProposalId: proposalId,
      decidedAt,
      ...transition
    } = recordOf(decisionsTable, pick(row, TRANSITION));
    const session = byId.get(uuidFromStored(row.session_id));
    if (!session || row.revision > session.revision) continue;
    const of = proposalId !== undefined && { proposalId };
    session.history.push({ ...transition, ...of, executionTimestamp: decidedAt });
  }
  return found;
}
