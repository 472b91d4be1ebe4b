import type { Rejection } from '#lib/kernel';
import { type Items, type Page, type PageRequest } from '../store/page.js';
import { pageOfRows } from '../store/page-of-rows.js';
import { idsStartingWith, idStartsWith, type Rows } from '../store/rows.js';
import { isWithin } from '../store/rows-that-fit.js';
import { storedUuid } from '../store/stored-values.js';
import { storedOf } from '../store/table.js';
import { type LlmCallRow, llmCallRow } from './llm-call-record.js';
import { type LlmCallOutcome, llmCallsTable } from './llm-calls.tables.js';

/** The filters of a list of calls. */
export interface LlmCallFilter {
  readonly runId?: string;
  readonly workflow?: string;
  readonly sessionId?: string;
  readonly specialistId?: string;
  readonly machineName?: string;
  /** The requested model. */
  readonly model?: string;
  readonly outcome?: LlmCallOutcome;
  /** ISO 8601: requested at or after this time. */
  readonly from?: string;
  /** ISO 8601: requested before this time. */
  readonly to?: string;
  /** Only calls whose ids begin so. */
  readonly idPrefix?: string;
}

type Show<Item> = (calls: readonly LlmCallRow[]) => Items<Item>;

/** Without bodies. */
export const asRows: Show<LlmCallRow> = (calls) => calls;

/** Newest first. @throws InvalidTime if `from` or `to` is not a time. */
export function listLlmCalls<Item>(
  db: Rows<'llm_calls'>,
  filter: LlmCallFilter,
  request: PageRequest,
  show: Show<Item>,
): Promise<Page<Item> | Rejection> {
  return pageOfCalls(db, request, { list: 'llm-calls', filter, order: 'desc', show });
}

/** The calls of a session, oldest first. */
export function listLlmCallsOfSession<Item>(
  db: Rows<'llm_calls'>,
  sessionId: string,
  request: PageRequest,
  show: Show<Item>,
): Promise<Page<Item> | Rejection> {
  return pageOfCalls(db, request, {
    list: `llm-calls of session ${sessionId}`,
    filter: { sessionId },
    order: 'asc',
    show,
  });
}

/** The calls of a run, without those of its children, oldest first. */
export function listLlmCallsOfRun<Item>(
  db: Rows<'llm_calls'>,
  runId: string,
  request: PageRequest,
  show: Show<Item>,
): Promise<Page<Item> | Rejection> {
  const list = `llm-calls of run ${runId}`;
  return pageOfCalls(db, request, { list, filter: { runId }, order: 'asc', show });
}

interface CallList<Item> {
  readonly list: string;
  readonly filter: LlmCallFilter;
  readonly order: 'asc' | 'desc';
  readonly show: Show<Item>;
}

function pageOfCalls<Item>(
  db: Rows<'llm_calls'>,
  request: PageRequest,
  { list, filter: { from, to, idPrefix, ...filter }, order, show }: CallList<Item>,
): Promise<Page<Item> | Rejection> {
  return pageOfRows(request, {
    list,
    rows: db.selectFrom(llmCallsTable.name).selectAll(),
    filter: {
      db,
      indexed: ['run_id', 'session_id', 'specialist_id', 'model'],
      equal: storedOf(llmCallsTable, filter),
      span: [...isWithin('requested_at', { from, to }), ...idStartsWith(llmCallsTable, 'call_id', idPrefix)],
    },
    table: llmCallsTable,
    by: 'number',
    order,
    toItems: (rows) => show(rows.map(llmCallRow)),
  });
}

/** One call; `undefined` if no row has this id. */
export async function getLlmCall(db: Rows<'llm_calls'>, callId: string): Promise<LlmCallRow | undefined> {
  const row = await db
    .selectFrom(llmCallsTable.name)
    .selectAll()
    .where('call_id', '=', storedUuid(callId))
    .executeTakeFirst();
  return row && llmCallRow(row);
}

/** Whether the model was asked once more in the same run because the choice of this call did not fit. */
export async function isAskedAgain(
  db: Rows<'llm_calls'>,
  { runId, outcome, rung }: LlmCallRow,
): Promise<boolean> {
  if (rung === undefined || rung === 'reask' || !CHOICES.has(outcome)) return false;
  const later = await db
    .selectFrom(llmCallsTable.name)
    .select('call_id')
    .where('run_id', '=', storedUuid(runId))
    .where('rung', '=', 'reask')
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

/** The outcomes with a choice. */
const CHOICES: ReadonlySet<LlmCallOutcome> = new Set(['toolCall', 'decision']);

/** The newest calls whose ids begin so. */
export function llmCallIdsStartingWith(db: Rows<'llm_calls'>, start: string, limit: number) {
  return idsStartingWith(db, llmCallsTable, 'call_id', start, limit);
}
