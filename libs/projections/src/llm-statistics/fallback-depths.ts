import type { Rows } from '../store/rows.js';
import { type CallGrouping, GROUP, groupText, statisticsCalls } from './statistics-calls.js';

/** How far down the ladder solicitations went: the steps taken in each. */
export interface FallbackDepths {
  readonly solicitations: number;
  readonly fallbacks: number;
  readonly maxDepth: number;
}

/** Of the solicitations that made a call of the group, with all of their steps. */
export async function fallbackDepths(
  db: Rows<'llm_calls'>,
  grouping: CallGrouping,
): Promise<ReadonlyMap<string, FallbackDepths>> {
  const asked = db
    .selectFrom(statisticsCalls(db, grouping))
    .select([...GROUP, 'call.solicitation_id'])
    .distinct();
  const rows = await db
    .selectFrom(asked.as('asked'))
    .innerJoin('llm_call_runs_v6 as started', 'started.run_id', 'asked.solicitation_id')
    .select(({ fn }) => [
      'asked.model',
      'asked.provider',
      'asked.bucket',
      fn.countAll().as('solicitations'),
      fn.sum('started.fallbacks').as('fallbacks'),
      fn.max('started.fallbacks').as('deepest'),
    ])
    .groupBy(['asked.model', 'asked.provider', 'asked.bucket'])
    .execute();
  return new Map(
    rows.map((row) => [
      groupText(row),
      {
        solicitations: Number(row.solicitations),
        fallbacks: Number(row.fallbacks),
        maxDepth: row.deepest,
      },
    ]),
  );
}
