import type { Rejection } from '#lib/kernel';
import { type Page, pageOf, type PageRequest } from '../paging/page.js';
import { numberInKey } from '../paging/key-in-list.js';
import { storedText } from '../row/stored-text.js';
import { storedTime } from '../row/stored-time.js';
import type { Rows } from '../store/rows.js';
import type { LlmCallOutcome } from './llm-call-outcome.js';
import { type LlmCallRow, llmCallRow } from './llm-call-record.js';

/** The calls of a session, oldest first. */
export function listLlmCallsOfSession(
  db: Rows<'llm_calls'>,
  sessionId: string,
  request: PageRequest = {},
): Promise<Page<LlmCallRow> | Rejection> {
  return callsOf(db, 'llm-calls-of-session', { sessionId }, request);
}

/** The calls of a run, without those of its children, oldest first. */
export function listLlmCallsOfRun(
  db: Rows<'llm_calls'>,
  runId: string,
  request: PageRequest = {},
): Promise<Page<LlmCallRow> | Rejection> {
  return callsOf(db, 'llm-calls-of-run', { runId }, request);
}

function callsOf(
  db: Rows<'llm_calls'>,
  list: string,
  filter: LlmCallFilter,
  request: PageRequest,
): Promise<Page<LlmCallRow> | Rejection> {
  return pageOf(request, {
    list,
    read: (after, limit) => {
      const all = filteredCalls(db, filter);
      const rest = after === undefined ? all : all.where('position', '>', numberInKey(after));
      return rest.orderBy('position').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: (rows) => rows.map(llmCallRow),
  });
}

/** The filters of a list of calls. */
export interface LlmCallFilter {
  readonly runId?: string;
  readonly workflow?: string;
  readonly sessionId?: string;
  readonly specialistId?: string;
  readonly machineName?: string;
  /** As it was asked for. */
  readonly model?: string;
  readonly outcome?: LlmCallOutcome;
  /** ISO 8601: requested at or after this time. */
  readonly from?: string;
  /** ISO 8601: requested before this time. */
  readonly to?: string;
}

/** Newest first. @throws InvalidTime when `from` or `to` is no time. */
export function listLlmCalls(
  db: Rows<'llm_calls'>,
  filter: LlmCallFilter = {},
  request: PageRequest = {},
): Promise<Page<LlmCallRow> | Rejection> {
  return pageOf(request, {
    list: 'llm-calls',
    read: (after, limit) => {
      const found = filteredCalls(db, filter);
      const rest = after === undefined ? found : found.where('position', '<', numberInKey(after));
      return rest.orderBy('position', 'desc').limit(limit).execute();
    },
    keyOf: ({ position }) => `${position}`,
    toItems: (rows) => rows.map(llmCallRow),
  });
}

function filteredCalls(db: Rows<'llm_calls'>, filter: LlmCallFilter) {
  const { runId, workflow, sessionId, specialistId, machineName, model, outcome, from, to } = filter;
  let query = db.selectFrom('llm_calls_v10').selectAll();
  if (runId !== undefined) query = query.where('run_id', '=', runId);
  if (workflow !== undefined) query = query.where('workflow', '=', workflow);
  if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
  if (specialistId !== undefined) query = query.where('specialist_id', '=', specialistId);
  if (machineName !== undefined) query = query.where('machine_name', '=', machineName);
  if (model !== undefined) query = query.where('model', '=', storedText(model));
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (from !== undefined) query = query.where('requested_at', '>=', storedTime(from));
  if (to !== undefined) query = query.where('requested_at', '<', storedTime(to));
  return query;
}

/** One call; `undefined` when no row has this id. */
export async function getLlmCall(db: Rows<'llm_calls'>, callId: string): Promise<LlmCallRow | undefined> {
  const row = await db
    .selectFrom('llm_calls_v10')
    .selectAll()
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row && llmCallRow(row);
}

/**
 * The ids of the newest calls whose ids begin so, newest first.
 * @param start hexadecimal digits and hyphens; empty: any
 */
export async function llmCallIdsStartingWith(
  db: Rows<'llm_calls'>,
  start: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('llm_calls_v10')
    .select('call_id')
    .where('call_id', 'like', `${start}%`)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ call_id: id }) => id);
}
