import { type Kysely, sql } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import { isUsageKnown } from './call-usage.js';
import { llmCallsTable } from './llm-calls.tables.js';

const number = (expression: string) => sql<number>`${sql.raw(expression)}`;
const one = (condition: string) => number(`case when ${condition} then 1 else 0 end`);
const orZero = (column: string) => number(`coalesce(${column}, 0)`);

/** The day, the machine and the model of a call. */
const MODEL_DAY = [
  'call.day',
  sql<string>`coalesce(call.machine_name, '')`.as('machine_name'),
  'call.origin',
  'call.provider',
  'call.model',
] as const;

/** The contribution of each call to the totals. Calls on the text rung offer no tools. */
export function callContributions(db: Kysely<ReadSchema>) {
  return db
    .selectFrom(`${llmCallsTable.name} as call` as const)
    .select(MODEL_DAY)
    .select([
      isUsageKnown.as('is_known'),
      number('1').as('calls'),
      one(`call.outcome = 'failed'`).as('failed'),
      one(`call.outcome = 'pending'`).as('pending'),
      one(`call.outcome = 'toolCall'`).as('tool_calls'),
      one(
        `coalesce(call.rung, '') not in ('text', 'structured') and call.outcome not in ('failed', 'erased', 'pending')`,
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
      'call.fallbacks',
      number('call.fallbacks').as('deepest'),
    ]);
}

const inSteps = (step: number) => `floor(call.duration_ms / ${step}.0 + 0.5) * ${step}`;
const ROUNDED = [1, 10, 100, 1_000, 10_000].reduceRight(
  (longer, step) => `case when call.duration_ms < ${step * 100} then ${inSteps(step)} else ${longer} end`,
  inSteps(100_000),
);

/** The contribution of each call with an outcome to the durations: two significant digits, halves upwards. */
export function callDurations(db: Kysely<ReadSchema>) {
  return db
    .selectFrom(`${llmCallsTable.name} as call` as const)
    .select(MODEL_DAY)
    .select([number(ROUNDED).as('duration_ms'), number('1').as('calls')])
    .where('call.duration_ms', 'is not', null);
}
