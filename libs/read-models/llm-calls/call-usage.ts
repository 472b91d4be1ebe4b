import { sql } from 'kysely';
import {
  addTokens,
  inputTokens,
  NO_TOKENS,
  type PriceInForce,
  type Spending,
  type TokenBuckets,
  tokenCost,
} from '#lib/call-rules';
import type { Rows } from '../store/rows.js';
import { dayOf, storedTime, storedUuid, uuidFromStored } from '../store/stored-values.js';
import type { SchemaOf } from '../store/table.js';
import { bucketsOf } from './llm-call-record.js';
import { llmCallRunsTable, llmCallsTable, llmCallTotalsTable } from './llm-calls.tables.js';

/** 1 for calls that report both token counts: only these have a cost. */
export const isUsageKnown = sql<number>`case when prompt_tokens is not null and completion_tokens is not null then 1 else 0 end`;

type Sum = number | string | null;

const sum = (column: string) => sql<Sum>`sum(${sql.ref(column)})`;

/** The sums over a group of calls. */
interface TokenSums {
  readonly calls: number | string;
  readonly prompt: Sum;
  readonly completion: Sum;
  readonly cache_read: Sum;
  readonly cache_write: Sum;
  readonly reasoning: Sum;
}

/** The tokens of a group of calls. */
export function summedBuckets(row: Omit<TokenSums, 'calls'>): TokenBuckets {
  return bucketsOf({
    prompt_tokens: Number(row.prompt),
    completion_tokens: Number(row.completion),
    cache_read_tokens: Number(row.cache_read),
    cache_write_tokens: Number(row.cache_write),
    reasoning_tokens: Number(row.reasoning),
  });
}

/** The sums over a run's calls to models. */
export interface CallTotals {
  readonly calls: number;
  readonly tokens: TokenBuckets;
  /** Absent if no price was in force, or no usage is known. */
  readonly costUSD?: number;
}

export const NO_CALLS: CallTotals = { calls: 0, tokens: NO_TOKENS };

/** By run, without the calls of its children. Runs without calls are left out. */
export async function usageOfRuns(
  db: Rows<'llm_calls'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, CallTotals>> {
  const totals = new Map<string, CallTotals>();
  if (runIds.length === 0) return totals;
  const rows = await pricedSums(callsByUsage(db).where('run_id', 'in', runIds.map(storedUuid)), db)
    .select('call.run_id')
    .groupBy('call.run_id')
    .execute();
  for (const row of rows) {
    const runId = uuidFromStored(row.run_id);
    totals.set(runId, withPriced(totals.get(runId) ?? NO_CALLS, row));
  }
  return totals;
}

interface CallsOfSpecialist {
  readonly machineName: string;
  readonly specialistId: string;
  readonly sessionId: string;
}

/**
 * The usage of a specialist's calls, with those of the workflows that it asks.
 * @param day ISO 8601: the calls requested on this UTC day, in all sessions; absent: those of the session. Calls of forks count
 * for forks alone, and those of experiments for no session.
 */
export async function spentOn(
  db: Rows<'llm_calls'>,
  { machineName, specialistId, sessionId }: CallsOfSpecialist,
  day?: string,
): Promise<Spending> {
  const onMachine = callsByUsage(db).where('machine_name', '=', machineName);
  const counted =
    day === undefined
      ? onMachine
          .where('session_id', '=', storedUuid(sessionId))
          // An expression: SQLite, without statistics, would take the index of the specialist, who has more calls than a session.
          .where(sql<string>`specialist_id || ''`, '=', specialistId)
      : onMachine
          .where('specialist_id', '=', specialistId)
          .where('day', '=', dayOf(storedTime(day)))
          .where(isCountedFor(db, sessionId));
  const { tokens, costUSD = 0 } = (await pricedSums(counted, db).execute()).reduce(withPriced, NO_CALLS);
  return { tokens: inputTokens(tokens) + tokens.output, costUSD };
}

/**
 * The runs without a recorded end that may still make such calls. A run that stands still before its first event has no row, and
 * is not found.
 * @param inSession only runs of the session
 */
export async function runsThatSpend(
  db: Rows<'llm_calls'>,
  { machineName, specialistId, sessionId }: CallsOfSpecialist,
  inSession: boolean,
): Promise<ReadonlySet<string>> {
  const ofSpecialist = db
    .withTables<SchemaOf<typeof llmCallRunsTable>>()
    .selectFrom(llmCallRunsTable.name)
    .select('run_id')
    .where('machine_name', '=', machineName)
    .where('specialist_id', '=', specialistId);
  const asked = inSession
    ? ofSpecialist.where('session_id', '=', storedUuid(sessionId))
    : ofSpecialist.where(isCountedFor(db, sessionId));
  return new Set((await asked.execute()).map(({ run_id }) => uuidFromStored(run_id)));
}

/** A fork also counts the calls of forks: the run that asks is open, and has a row. */
function isCountedFor(db: Rows<'llm_calls'>, sessionId: string) {
  const ofFork = db
    .withTables<SchemaOf<typeof llmCallRunsTable>>()
    .selectFrom(`${llmCallRunsTable.name} as asking` as const)
    .select('asking.run_id')
    .where('asking.session_id', '=', storedUuid(sessionId))
    .where('asking.origin', '=', 'fork');
  return sql<boolean>`(origin not in ('fork', 'experiment') or exists ${ofFork})`;
}

function callsByUsage(db: Rows<'llm_calls'>) {
  return db.selectFrom(llmCallsTable.name).selectAll().select(isUsageKnown.as('is_known'));
}

/** The sums over calls, by price. */
function pricedSums(calls: ReturnType<typeof callsByUsage>, db: Rows<'llm_calls'>) {
  return db
    .selectFrom(calls.as('call'))
    .select([
      'call.price',
      'call.is_known',
      sql<number | string>`count(*)`.as('calls'),
      sum('prompt_tokens').as('prompt'),
      sum('completion_tokens').as('completion'),
      sum('cache_read_tokens').as('cache_read'),
      sum('cache_write_tokens').as('cache_write'),
      sum('reasoning_tokens').as('reasoning'),
    ])
    .groupBy(['call.price', 'call.is_known']);
}

type PricedSums = TokenSums & { readonly price: string | null; readonly is_known: number };

/** A cost is linear in tokens: the cost of summed tokens of one price is the sum of the costs. */
function withPriced({ calls, tokens, costUSD }: CallTotals, row: PricedSums): CallTotals {
  const ofPrice = summedBuckets(row);
  const price = row.is_known === 1 && row.price !== null ? (JSON.parse(row.price) as PriceInForce) : null;
  const total = price ? (costUSD ?? 0) + tokenCost(price, ofPrice) : costUSD;
  return {
    calls: calls + Number(row.calls),
    tokens: addTokens(tokens, ofPrice),
    ...(total !== undefined && { costUSD: total }),
  };
}

/** The numbers of calls without an outcome, by provider and model. */
export async function openLlmCalls(db: Rows<'llm_calls'>) {
  const rows = await db
    .selectFrom(llmCallTotalsTable.name)
    .select(({ fn }) => ['provider', 'model', fn.sum('pending').as('calls')])
    .groupBy(['provider', 'model'])
    .execute();
  return rows
    .map(({ provider, model, calls }) => ({ provider, model, calls: Number(calls) }))
    .filter(({ calls }) => calls > 0);
}
