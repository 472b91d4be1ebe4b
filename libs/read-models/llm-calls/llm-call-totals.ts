import { type Kysely, sql } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import { uuid } from '../store/columns.js';
import { insertRows } from '../store/row-changes.js';
import { isUsageKnown } from './call-usage.js';
import { llmCallDurationsTable, llmCallTotalsTable, SUMMED, TOTALS_KEY } from './llm-calls.tables.js';

const number = (expression: string) => sql<number>`${sql.raw(expression)}`;
const one = (condition: string) => number(`case when ${condition} then 1 else 0 end`);
const orZero = (column: string) => number(`coalesce(${column}, 0)`);

/** Each call as what it adds to the totals. Calls on the text rung offer no tools. */
export function callContributions(db: Kysely<ReadSchema>) {
  return db
    .selectFrom('llm_calls_v11 as call')
    .leftJoin('llm_call_runs_v11 as asked', 'asked.run_id', 'call.solicitation_id')
    .select([
      'call.day',
      sql<string>`coalesce(call.machine_name, '')`.as('machine_name'),
      'call.is_evaluation',
      'call.provider',
      'call.model',
      isUsageKnown.as('is_known'),
      number('1').as('calls'),
      one(`call.outcome = 'failed'`).as('failed'),
      one(`call.outcome = 'pending'`).as('pending'),
      one(`call.outcome = 'toolCall'`).as('tool_calls'),
      one(
        `coalesce(call.rung, '') not in ('text', 'structured') and call.outcome not in ('failed', 'pending')`,
      ).as('tools_answered'),
      number('call.malformed_arguments').as('malformed'),
      number('call.invalid_arguments').as('invalid'),
      orZero('call.prompt_tokens').as('prompt'),
      orZero('call.completion_tokens').as('completion'),
      number('call.cache_read_tokens').as('cache_read'),
      number('call.cache_write_tokens').as('cache_write'),
      number('call.reasoning_tokens').as('reasoning'),
      one('call.duration_ms is not null').as('timed'),
      orZero('call.duration_ms').as('duration_ms'),
      number('call.is_first').as('solicitations'),
      number('call.is_first * coalesce(asked.fallbacks, 0)').as('fallbacks'),
      number('call.is_first * coalesce(asked.fallbacks, 0)').as('deepest'),
    ]);
}

const inSteps = (step: number) => `floor(call.duration_ms / ${step}.0 + 0.5) * ${step}`;
const ROUNDED = [1, 10, 100, 1_000, 10_000].reduceRight(
  (longer, step) => `case when call.duration_ms < ${step * 100} then ${inSteps(step)} else ${longer} end`,
  inSteps(100_000),
);

/** Each call that has an outcome as what it adds to the durations: two significant digits, halves upwards. */
export function callDurations(db: Kysely<ReadSchema>) {
  return db
    .selectFrom('llm_calls_v11 as call')
    .select([
      'call.day',
      sql<string>`coalesce(call.machine_name, '')`.as('machine_name'),
      'call.is_evaluation',
      'call.provider',
      'call.model',
      number(ROUNDED).as('duration_ms'),
      number('1').as('calls'),
    ])
    .where('call.duration_ms', 'is not', null);
}

/** Totals count the current row of a call. A statement that changes a counted column runs between `withoutCall` and `withCall`. */
export const withCall = changedBy(1, oneCall);
export const withoutCall = changedBy(-1, oneCall);

/** The same for all calls of a solicitation that has not ended. */
export const withCallsOf = changedBy(1, callsOfSolicitation);
export const withoutCallsOf = changedBy(-1, callsOfSolicitation);

function oneCall(db: Kysely<ReadSchema>, callId: Buffer) {
  return callContributions(db).where('call.call_id', '=', callId);
}

/** An index leads to the calls of its round. */
function callsOfSolicitation(db: Kysely<ReadSchema>, solicitationId: Buffer) {
  return callContributions(db)
    .where('asked.run_id', '=', solicitationId)
    .whereRef('call.round_id', '=', 'asked.round_id');
}

/** The deepest fallback is not a sum: it only grows. */
function changedBy(sign: 1 | -1, calls: typeof oneCall) {
  const change = insertRows(
    llmCallTotalsTable,
    { id: uuid },
    (db, { id }) =>
      db
        .selectFrom(calls(db, id).as('own'))
        .select(TOTALS_KEY)
        .select(SUMMED.map((sum) => sql<number>`${sql.lit(sign)} * sum(${sql.ref(sum)})`.as(sum)))
        .select(({ fn }) => fn.max('deepest').as('deepest'))
        .groupBy(TOTALS_KEY),
    { add: SUMMED, highest: ['deepest'] },
  );
  return (id: string) => change({ id });
}

/** Counts how long a call took that has come to its outcome. */
export const countDuration = insertRows(
  llmCallDurationsTable,
  { call_id: uuid },
  (db, { call_id }) => callDurations(db).where('call.call_id', '=', call_id),
  { add: ['calls'] },
);
