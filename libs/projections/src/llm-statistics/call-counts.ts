import { sql } from 'kysely';
import { SUMMED } from '../llm-calls/llm-call-totals.js';
import type { Rows } from '../store/rows.js';
import { type CallGrouping, GROUP, totalsOf } from './statistics-calls.js';

/** The counts and sums by model and day, in this order. */
export function callCounts(db: Rows<'llm_calls'>, grouping: CallGrouping) {
  return db
    .selectFrom(totalsOf(db, grouping))
    .select(GROUP)
    .select(SUMMED.map((sum) => sql<number | string>`sum(${sql.ref(sum)})`.as(sum)))
    .select(({ fn }) => fn.max('total.deepest').as('deepest'))
    .groupBy(GROUP)
    .orderBy('total.model')
    .orderBy('total.provider')
    .orderBy('total.bucket')
    .execute();
}
