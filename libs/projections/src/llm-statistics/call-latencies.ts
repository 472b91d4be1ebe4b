import { sql } from 'kysely';
import type { Rows } from '../store/rows.js';
import { type CallGrouping, GROUP, groupText, statisticsCalls } from './statistics-calls.js';

/** Percentiles by nearest rank: each is the duration of a call that was made, in milliseconds. */
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
  const ranked = db
    .selectFrom(statisticsCalls(db, grouping))
    .select([...GROUP, 'call.duration_ms'])
    .select(({ fn }) => [
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy(GROUP).orderBy('call.duration_ms'))
        .as('place'),
      fn
        .countAll<number>()
        .over((over) => over.partitionBy(GROUP))
        .as('size'),
    ])
    .where('call.duration_ms', 'is not', null);
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .select([
      'ranked.model',
      'ranked.provider',
      'ranked.bucket',
      atRank(50).as('p50'),
      atRank(95).as('p95'),
      atRank(99).as('p99'),
    ])
    .groupBy(['ranked.model', 'ranked.provider', 'ranked.bucket'])
    .execute();
  return new Map(rows.map(({ p50, p95, p99, ...group }) => [groupText(group), { p50, p95, p99 }]));
}

/** The smallest of those at or after the rank, which rounds up: in whole numbers, alike on every engine. */
function atRank(percent: number) {
  const rank = sql`(size * ${sql.lit(percent)} + 99) / 100`;
  return sql<number>`min(case when place >= ${rank} then duration_ms end)`;
}
