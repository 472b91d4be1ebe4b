import type { Rejection } from '#lib/kernel';
import {
  numberInKey,
  type Page,
  pageOfRows,
  type PageRequest,
  recordOf,
  type Rows,
  type SchemaOf,
  storedTime,
  storedUuid,
} from '#lib/read-models';
import type { TaskOwner, TaskStatus } from './task.family.js';
import { tasksTable } from './tasks.read-model.js';

type Db = Rows<'tasks'>;

/** Which tasks are meant. */
export interface TaskFilter {
  readonly statuses: readonly TaskStatus[];
  readonly kind?: string;
  readonly machineName?: string;
  readonly sessionId?: string;
  readonly assignee?: string;
  readonly claimedBy?: string;
}

/** The numbers of tasks for all people, and for the caller. */
export interface TaskCounts {
  readonly open: number;
  readonly claimed: number;
  readonly overdue: number;
  /** Claimed by or assigned to them. */
  readonly mine: number;
}

export async function findTask(db: Db, taskId: string): Promise<TaskOwner | undefined> {
  const row = await taskRows(db).where('task_id', '=', storedUuid(taskId)).executeTakeFirst();
  return row && recordOf(tasksTable, row);
}

/** Oldest first. */
export function pageOfTasks<Item>(
  db: Db,
  filter: TaskFilter,
  at: string,
  request: PageRequest,
  toItem: (owner: TaskOwner) => Promise<Item>,
): Promise<Page<Item> | Rejection> {
  return pageOfRows(request, {
    list: 'tasks',
    rows: filtered(db, filter, at),
    table: tasksTable,
    by: 'number',
    readKey: numberInKey,
    toItems: (rows) => Promise.all(rows.map((row) => toItem(recordOf(tasksTable, row)))),
  });
}

/** Each part is read by an index. @param personId the caller, if they are a person */
export async function countTasks(db: Db, personId: string | undefined, at: string): Promise<TaskCounts> {
  const open = await counted(filtered(db, { statuses: ['open', 'claimed'] }, at));
  const claimed = await counted(filtered(db, { statuses: ['claimed'] }, at));
  if (personId === undefined) return { open: open - claimed, claimed, overdue: 0, mine: 0 };
  const mine = await counted(filtered(db, { statuses: ['claimed'], claimedBy: personId }, at));
  const assigned = await counted(
    filtered(db, { statuses: ['open', 'claimed'], assignee: personId }, at).where((where) =>
      where.or([
        where('claimed_by', 'is', null),
        where('claimed_by', '!=', personId),
        where('claimed_until', '<=', storedTime(at)),
      ]),
    ),
  );
  return { open: open - claimed, claimed, overdue: 0, mine: mine + assigned };
}

function filtered(db: Db, filter: TaskFilter, at: string) {
  const now = storedTime(at);
  const { statuses, kind, machineName, sessionId, assignee, claimedBy } = filter;
  let rows = taskRows(db);
  const stored = [...new Set(statuses.map((status) => (status === 'claimed' ? 'open' : status)))];
  const [only] = stored;
  rows =
    stored.length === 1 && only
      ? rows.where('status', '=', only as 'open')
      : rows.where('status', 'in', stored as 'open'[]);
  if (statuses.includes('claimed') && !statuses.includes('open'))
    rows = rows.where((where) => where.or([where('status', '!=', 'open'), where('claimed_until', '>', now)]));
  if (statuses.includes('open') && !statuses.includes('claimed'))
    rows = rows.where((where) =>
      where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', now)]),
    );
  if (kind !== undefined) rows = rows.where('kind', '=', kind as 'decision');
  if (machineName !== undefined) rows = rows.where('machine_name', '=', machineName);
  if (sessionId !== undefined) rows = rows.where('session_id', '=', storedUuid(sessionId));
  if (assignee !== undefined) rows = rows.where('assignee', '=', assignee);
  if (claimedBy !== undefined)
    rows = rows.where('claimed_by', '=', claimedBy).where('claimed_until', '>', now);
  return rows;
}

async function counted(rows: ReturnType<typeof filtered>): Promise<number> {
  const { count } = await rows
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function taskRows(db: Db) {
  return db.withTables<SchemaOf<typeof tasksTable>>().selectFrom(tasksTable.name).selectAll();
}
