import { sql } from 'kysely';
import { tokenSums } from '../llm-calls/token-sums.js';
import type { Rows } from '../store/rows.js';
import { type CallGrouping, GROUP, statisticsCalls } from './statistics-calls.js';

/** 1 for the rows that count. */
const when = (condition: ReturnType<typeof sql<boolean>>) =>
  sql<number | string>`sum(case when ${condition} then 1 else 0 end)`;

/** The counts and sums by model and day. Calls on the text rung offer no tools. */
export function callCounts(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  return db
    .selectFrom(statisticsCalls(db, grouping))
    .select(GROUP)
    .select(tokenSums)
    .select(({ fn }) => [
      when(sql`outcome = 'failed'`).as('failed'),
      when(sql`outcome = 'pending'`).as('pending'),
      when(sql`outcome = 'toolCall'`).as('tool_calls'),
      when(sql`coalesce(rung, '') <> 'text' and outcome not in ('failed', 'pending')`).as('tools_answered'),
      fn.sum('malformed_arguments').as('malformed'),
      fn.sum('invalid_arguments').as('invalid'),
      fn.avg('duration_ms').as('mean_duration_ms'),
    ])
    .groupBy(GROUP)
    .orderBy('call.model')
    .orderBy('call.provider')
    .orderBy('call.bucket')
    .execute();
}
