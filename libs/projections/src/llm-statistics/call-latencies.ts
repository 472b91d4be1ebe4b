import { sql } from 'kysely';
import type { Rows } from '../store/rows.js';
import { type CallGrouping, durationsOf, GROUP, groupText } from './statistics-calls.js';

/** Percentiles by nearest rank, in milliseconds: each is what a call took, rounded to two significant digits. */
export interface LatencyPercentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Of the calls that have an outcome, failed ones too, by group. */
export async function callLatencies(
  db: Rows<'llm_calls'>,
  grouping: CallGrouping,
): Promise<ReadonlyMap<string, LatencyPercentiles>> {
  const calls = sql<number>`sum(calls)`;
  const counted = db
    .selectFrom(durationsOf(db, grouping))
    .select([...GROUP, 'total.duration_ms', calls.as('calls')])
    .groupBy([...GROUP, 'total.duration_ms']);
  const ranked = db
    .selectFrom(counted.as('total'))
    .select([
      ...GROUP,
      'total.duration_ms',
      sql<number>`sum(calls) over (partition by model, provider, bucket order by duration_ms)`.as('rank'),
      sql<number>`sum(calls) over (partition by model, provider, bucket)`.as('size'),
    ]);
  const rows = await db
    .selectFrom(ranked.as('total'))
    .select([...GROUP, atRank(50).as('p50'), atRank(95).as('p95'), atRank(99).as('p99')])
    .groupBy(GROUP)
    .execute();
  return new Map(
    rows.map(({ p50, p95, p99, ...group }) => [
      groupText(group),
      { p50: Number(p50), p95: Number(p95), p99: Number(p99) },
    ]),
  );
}

/** The smallest of those at or after the rank: in whole numbers, alike on every engine. */
function atRank(percent: number) {
  return sql<number | string>`min(case when rank * 100 >= size * ${sql.lit(percent)} then duration_ms end)`;
}
