import { type Expression, type SqlBool, sql } from 'kysely';
import { present, type Rejection } from '#lib/kernel';
import { getPerson, peopleTable } from '#lib/people/core';
import {
  humanRolesOf,
  idsWithKey,
  type Page,
  pageOfRows,
  type PageRequest,
  recordOf,
  type RowOf,
  type Rows,
  type SchemaOf,
  specialistsTable,
  specialistVersionsTable,
  storedTime,
  storedUuid,
  withoutIndex,
} from '#lib/read-models';
import {
  type AudienceWords,
  EVERYBODY,
  groupWord,
  HUMAN,
  humanWord,
  machineWord,
  personWord,
} from './audience.js';
import type { TaskOwner } from './task.family.js';
import type { TaskStatus } from './task-words.js';
import { audienceWordsTable, tasksTable, taskTotalsTable } from './tasks.tables.js';

type Db = Rows<'tasks' | 'people' | 'specialists' | 'labels'>;

/** The read models that these queries read. */
export const TASK_ROWS = ['tasks', 'people', 'specialists', 'labels'] as const;

export const TASK_SORTS = ['due', 'since', 'priority'] as const;
type TaskSort = (typeof TASK_SORTS)[number];

/** The filters of a list of tasks. */
export interface TaskFilter {
  readonly statuses: readonly TaskStatus[];
  readonly kind?: string;
  readonly machineName?: string;
  readonly workflow?: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly conversationId?: string;
  /** The key of the session, conversation or run that they work for. */
  readonly key?: string;
  readonly assignee?: string;
  readonly claimedBy?: string;
  /** `true`: past their due time. `false`: not. */
  readonly overdue?: boolean;
  /** A person who may answer them. */
  readonly candidate?: string;
}

/** The numbers of tasks for all people, and for the caller. */
interface TaskCounts {
  readonly open: number;
  readonly claimed: number;
  readonly overdue: number;
  /** Claimed by or assigned to them. */
  readonly mine: number;
  /** Open, and they may answer. */
  readonly claimable: number;
}

export async function findTask(db: Rows<'tasks'>, taskId: string): Promise<TaskOwner | undefined> {
  const row = await taskRows(db).where('task_id', '=', storedUuid(taskId)).executeTakeFirst();
  return row && ownerIn(row);
}

const ORDERS = { due: 'by_due', since: 'by_since', priority: 'by_priority' } as const;

export async function pageOfTasks<Item>(
  db: Db,
  filter: TaskFilter,
  { at, sort }: { readonly at: string; readonly sort: TaskSort },
  request: PageRequest,
  toItem: (owner: TaskOwner) => Promise<Item | undefined>,
): Promise<Page<Item> | Rejection> {
  return pageOfRows(request, {
    list: `tasks by ${sort}`,
    rows: await filtered(db, filter, at),
    table: tasksTable,
    by: ORDERS[sort],
    areFew: isOfOneOwner(filter),
    // For each, the history of its session or run is in memory.
    toItems: async function* (rows) {
      for (const row of rows) yield await toItem(ownerIn(row));
    },
  });
}

/** The total is kept; each other number is counted by an index. @param personId the caller, if they are a person */
export async function countTasks(db: Db, personId: string | undefined, at: string): Promise<TaskCounts> {
  const of = async (filter: TaskFilter) => counted(await filtered(db, filter, at));
  const open = await openTasks(db);
  const claimed = await of({ statuses: ['claimed'] });
  const overdue = await of({ statuses: ['open', 'claimed'], overdue: true });
  const all = { open: open - claimed, claimed, overdue };
  if (personId === undefined) return { ...all, mine: 0, claimable: 0 };
  const held = await of({ statuses: ['claimed'], claimedBy: personId });
  const assigned = await filtered(db, { statuses: ['open', 'claimed'], assignee: personId }, at);
  const others = assigned.where((eb) => eb.not(eb.and([isClaimed(at), eb('claimed_by', '=', personId)])));
  const claimable = await of({ statuses: ['open'], candidate: personId });
  return { ...all, mine: held + (await counted(others)), claimable };
}

async function filtered(db: Db, filter: TaskFilter, at: string) {
  const {
    kind,
    machineName,
    workflow,
    sessionId,
    runId,
    conversationId,
    key,
    assignee,
    claimedBy,
    candidate,
    overdue,
  } = filter;
  let rows = withStatus(taskRows(db), filter, at);
  if (kind !== undefined) rows = rows.where('kind', '=', kind as 'decision');
  if (machineName !== undefined) rows = rows.where('machine_name', '=', machineName);
  if (workflow !== undefined) rows = rows.where('workflow', '=', workflow);
  if (sessionId !== undefined) rows = rows.where('session_id', '=', storedUuid(sessionId));
  if (runId !== undefined) rows = rows.where('run_id', '=', storedUuid(runId));
  if (conversationId !== undefined) rows = rows.where('conversation_id', '=', storedUuid(conversationId));
  if (key !== undefined) rows = rows.where(sql<SqlBool>`root_id in (${idsWithKey(key)})`);
  if (assignee !== undefined) rows = rows.where('assignee', '=', assignee).where(isAssigned);
  // The row of a task that has ended keeps its last claim.
  if (claimedBy !== undefined)
    rows = rows
      .where('claimed_by', '=', claimedBy)
      .where(withoutIndex('status'), '=', 'open')
      .where(isClaimed(at));
  if (overdue !== undefined) rows = rows.where(isOverdue(at, overdue));
  return candidate === undefined ? rows : rows.where(await isAnsweredBy(db, candidate));
}

type TaskRows = ReturnType<typeof taskRows>;

/** Whether the filter leaves the tasks of one owner: then the index of owners is used, and not that of all open tasks. */
function isOfOneOwner({ key, sessionId, runId, conversationId }: TaskFilter): boolean {
  return [key, sessionId, runId, conversationId].some((one) => one !== undefined);
}

function withStatus(rows: TaskRows, filter: TaskFilter, at: string): TaskRows {
  const { statuses } = filter;
  const stored = [...new Set(statuses.map((status) => (status === 'claimed' ? 'open' : status)))];
  const [only] = stored;
  const isOne = stored.length === 1 && only !== undefined;
  const status = isOfOneOwner(filter) ? withoutIndex<'open'>('status') : sql.ref<'open'>('status');
  const found = isOne
    ? rows.where(status, '=', only as 'open')
    : rows.where(status, 'in', stored as 'open'[]);
  const [hasOpen, hasClaimed] = [statuses.includes('open'), statuses.includes('claimed')];
  // By the index of claims.
  if (hasClaimed && isOne && !hasOpen)
    return found.where('claimed_until', '>', storedTime(at)).where(isClaimed(at));
  if (hasClaimed && !hasOpen) return found.where((eb) => eb.or([eb('status', '!=', 'open'), isClaimed(at)]));
  return hasOpen && !hasClaimed ? found.where((eb) => eb.not(isClaimed(at))) : found;
}

/** Only open and claimed tasks are overdue. */
function isOverdue(at: string, overdue: boolean): Expression<SqlBool> {
  const now = storedTime(at);
  return overdue
    ? sql<SqlBool>`(due_at <= ${now} and status = 'open')`
    : sql<SqlBool>`(coalesce(due_at, ${now} + 1) > ${now} or status <> 'open')`;
}

/** A claim ends with its time, with the person who has it, and once they may not answer any more. */
function isClaimed(at: string): Expression<SqlBool> {
  const now = storedTime(at);
  return sql<SqlBool>`(coalesce(claimed_until, 0) > ${now} and (is_own_claim = 1 or ${mayClaimantAnswer}))`;
}

/** Claims and assignments of people who were deleted have ended, also if their ids were registered again. */
const isAssigned = sql<SqlBool>`exists (
  select 1 from ${sql.table(peopleTable.name)} as assigned
  where assigned.person_id = assignee and assigned.number < assignment_number)`;

/** Whether the word is that of a human specialist who is enabled, and is the person of the claim. */
const isEnabledHuman = sql<SqlBool>`exists (
  select 1 from ${sql.table(specialistsTable.name)} as human
  where human.enabled = 1 and asked.word = ${sql.lit(HUMAN)} || human.name || ':' || claimed_by
    and human.name = case when length(asked.word) > length(claimed_by) + 3
      then substr(asked.word, 3, length(asked.word) - length(claimed_by) - 3) end)`;

/** Whether the word is that of a machine, and the person of the claim is a human specialist of it that was registered with an operation. */
const isHumanAlone = sql<SqlBool>`exists (
  select 1 from ${sql.table(specialistsTable.name)} as human
  join ${sql.table(specialistVersionsTable.name)} as one
    on one.machine_name = human.machine_name and one.specialist_id = human.specialist_id
    and one.version = human.current_version
  where asked.word like ${sql.lit(machineWord('%'))} and human.machine_name = substr(asked.word, 3)
    and human.enabled = 1 and human.stands_alone = 1 and one.is_human = 1 and one.role = 'proposer'
    and coalesce(one.person_id, one.specialist_id) = claimed_by)`;

const mayClaimantAnswer = sql<SqlBool>`exists (
  select 1 from ${sql.table(peopleTable.name)} as claimant
  where claimant.person_id = claimed_by and claimant.number < claim_number
    and not ${isIn('excluded', sql.ref('claimed_by'))}
    and case when ${isAssigned} then assignee = claimed_by else exists (
      select 1 from ${sql.table(audienceWordsTable.name)} as asked
      where asked.audience = ${sql.ref(`${tasksTable.name}.audience`)}
        and (asked.word = ${sql.lit(EVERYBODY)} or asked.word = ${sql.lit(personWord(''))} || claimed_by
          or ${isEnabledHuman} or ${isHumanAlone}
          or asked.word like ${sql.lit(groupWord('%'))} and ${isIn('claimant.groups', sql`substr(asked.word, 3)`)})
    ) end)`;

/** The condition that this person may answer: a candidate or the assignee, not excluded, and without an approval so far. */
async function isAnsweredBy(db: Db, personId: string): Promise<Expression<SqlBool>> {
  const words = await wordsOf(db, personId);
  if (words.length === 0) return sql<SqlBool>`1 = 0`;
  const person = sql`cast(${personId} as text)`;
  const audience = sql.ref(`${tasksTable.name}.audience`);
  const among = sql`select audience from ${sql.table(audienceWordsTable.name)} where word in (${sql.join(words)})`;
  const isOneOfThem = sql`case when ${isAssigned} then assignee = ${personId} else ${audience} in (${among}) end`;
  return sql<SqlBool>`(${isOneOfThem} and not ${isIn('excluded', person)} and not ${isIn('givers', person)})`;
}

/** Whether a list has a name: names have no characters that JSON escapes. */
function isIn(
  column: 'excluded' | 'givers' | 'claimant.groups',
  name: Expression<unknown>,
): Expression<SqlBool> {
  const list = sql.ref(column);
  return sql<SqlBool>`(coalesce(replace(${list}, '"' || ${name} || '"', ''), '') <> coalesce(${list}, ''))`;
}

/** The words that mean this person. A viewer has none. */
async function wordsOf(db: Db, personId: string): Promise<AudienceWords> {
  const person = await getPerson(db, personId);
  if (!person || person.role === 'viewer') return [];
  const roles = await humanRolesOf(db, personId);
  const humans = roles.flatMap((role) => [
    humanWord(role.name, personId),
    ...(role.isCurrentAlone ? [machineWord(role.machineName)] : []),
  ]);
  const groups = person.groups ?? [];
  return [...new Set([personWord(personId), ...groups.map(groupWord), ...humans, EVERYBODY])];
}

async function openTasks(db: Db): Promise<number> {
  const found = await db
    .withTables<SchemaOf<typeof taskTotalsTable>>()
    .selectFrom(taskTotalsTable.name)
    .select('tasks')
    .where('status', '=', 'open')
    .executeTakeFirst();
  return found?.tasks ?? 0;
}

async function counted(rows: TaskRows): Promise<number> {
  const { count } = await rows
    .clearSelect()
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function ownerIn(row: RowOf<typeof tasksTable>): TaskOwner {
  const { taskId, kind, sessionId, roundId, runId, stepId, conversationId, turnId } = recordOf(
    tasksTable,
    row,
  );
  if (kind === 'decision') return { taskId, kind, sessionId: sessionId ?? '', roundId: roundId ?? '' };
  const root = present({ sessionId, conversationId, turnId });
  return { taskId, kind, runId: runId ?? '', stepId: stepId ?? '', ...root };
}

function taskRows(db: Rows<'tasks'>) {
  return db.withTables<SchemaOf<typeof tasksTable>>().selectFrom(tasksTable.name).selectAll();
}
