import { addUsage, type PriceInForce, type Usage, usageCost } from '#lib/calls';
import type { Rows } from '../store/rows.js';

/** The sums over a run's calls to models. */
export interface CallTotals {
  readonly calls: number;
  readonly usage: Usage;
  /** Absent where no price was in force, or no usage is known. */
  readonly costUSD?: number;
}

export const NO_CALLS: CallTotals = { calls: 0, usage: {} };

/** By run; without the calls of their children. A run without calls is left out. */
export async function usageOfRuns(
  db: Rows<'llm_calls'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, CallTotals>> {
  const totals = new Map<string, CallTotals>();
  if (runIds.length === 0) return totals;
  for (const row of await sums(db, runIds)) {
    const { calls, usage, costUSD } = totals.get(row.run_id) ?? NO_CALLS;
    const ofPrice = usageIn(row);
    const price = row.price === null ? undefined : (JSON.parse(row.price) as PriceInForce);
    const cost = row.is_known === 1 ? usageCost(price, ofPrice) : undefined;
    const total = cost === undefined ? costUSD : (costUSD ?? 0) + cost;
    totals.set(row.run_id, {
      calls: calls + Number(row.calls),
      usage: addUsage(usage, ofPrice),
      ...(total !== undefined && { costUSD: total }),
    });
  }
  return totals;
}

type Sums = Awaited<ReturnType<typeof sums>>[number];

/** A cost is linear in tokens: the sums of calls of one price cost what these calls cost together. */
function sums(db: Rows<'llm_calls'>, runIds: readonly string[]) {
  const known = db
    .selectFrom('llm_calls_v5')
    .selectAll()
    .select((eb) =>
      eb
        .case()
        .when(eb.and([eb('prompt_tokens', 'is not', null), eb('completion_tokens', 'is not', null)]))
        .then(eb.lit(1))
        .else(eb.lit(0))
        .end()
        .as('is_known'),
    )
    .where('run_id', 'in', runIds);
  return db
    .selectFrom(known.as('call'))
    .select(({ fn }) => [
      'call.run_id',
      'call.price',
      'call.is_known',
      fn.countAll().as('calls'),
      fn.sum('call.prompt_tokens').as('prompt'),
      fn.sum('call.completion_tokens').as('completion'),
      fn.sum('call.cached_tokens').as('cached'),
      fn.sum('call.cache_write_tokens').as('cache_write'),
      fn.sum('call.reasoning_tokens').as('reasoning'),
    ])
    .groupBy(['call.run_id', 'call.price', 'call.is_known'])
    .execute();
}

function usageIn({ prompt, completion, cached, cache_write, reasoning }: Sums): Usage {
  const counts = {
    promptTokens: prompt,
    completionTokens: completion,
    cachedTokens: cached,
    cacheWriteTokens: cache_write,
    reasoningTokens: reasoning,
  };
  const reported = Object.entries(counts).filter(([, count]) => count !== null);
  return Object.fromEntries(reported.map(([name, count]) => [name, Number(count)]));
}
