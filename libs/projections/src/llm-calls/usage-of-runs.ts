import { addTokens, NO_TOKENS, type PriceInForce, type TokenBuckets, tokenCost } from '#lib/calls';
import type { Rows } from '../store/rows.js';
import { isUsageKnown, summedBuckets, type TokenSums, tokenSums } from './token-sums.js';

/** The sums over a run's calls to models. */
export interface CallTotals {
  readonly calls: number;
  readonly tokens: TokenBuckets;
  /** Absent where no price was in force, or no usage is known. */
  readonly costUSD?: number;
}

export const NO_CALLS: CallTotals = { calls: 0, tokens: NO_TOKENS };

/** By run; without the calls of their children. A run without calls is left out. */
export async function usageOfRuns(
  db: Rows<'llm_calls'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, CallTotals>> {
  const totals = new Map<string, CallTotals>();
  if (runIds.length === 0) return totals;
  for (const row of await sums(db, runIds)) {
    totals.set(row.run_id, withPriced(totals.get(row.run_id) ?? NO_CALLS, row));
  }
  return totals;
}

/** The sums over calls of one price. */
type PricedSums = TokenSums & { readonly price: string | null; readonly is_known: number };

/** A cost is linear in tokens: the sums of calls of one price cost what these calls cost together. */
export function withPriced({ calls, tokens, costUSD }: CallTotals, row: PricedSums): CallTotals {
  const ofPrice = summedBuckets(row);
  const price = row.is_known === 1 && row.price !== null ? (JSON.parse(row.price) as PriceInForce) : null;
  const total = price ? (costUSD ?? 0) + tokenCost(price, ofPrice) : costUSD;
  return {
    calls: calls + Number(row.calls),
    tokens: addTokens(tokens, ofPrice),
    ...(total !== undefined && { costUSD: total }),
  };
}

function sums(db: Rows<'llm_calls'>, runIds: readonly string[]) {
  const known = db
    .selectFrom('llm_calls_v10')
    .selectAll()
    .select(isUsageKnown.as('is_known'))
    .where('run_id', 'in', runIds);
  return db
    .selectFrom(known.as('call'))
    .select(['call.run_id', 'call.price', 'call.is_known'])
    .select(tokenSums)
    .groupBy(['call.run_id', 'call.price', 'call.is_known'])
    .execute();
}
