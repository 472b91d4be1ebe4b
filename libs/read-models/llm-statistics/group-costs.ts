import { sql } from 'kysely';
import { summedBuckets } from '../llm-calls/call-usage.js';
import type { Rows } from '../store/rows.js';
import { rounded, textFromStored } from '../store/stored-values.js';
import { modelCost, type PricePeriod, pricePeriods, type PriceTable } from './prices.js';
import { type CallGrouping, GROUP, groupText, totalsOf } from './statistics-calls.js';

/** An amount of one currency. */
export interface Amount {
  readonly currency: string;
  readonly amount: number;
}

/** The cost of a group of calls, and the number of those with a price. */
export interface GroupCosts {
  readonly pricedCalls: number;
  /** By currency, in order of its name. */
  readonly amounts: readonly Amount[];
}

/** The cost of each group with a price. It equals the sum over separately priced calls, and is computed in the database: prices are per token. */
export async function groupCosts(
  db: Rows<'llm_calls'>,
  grouping: CallGrouping,
  prices: PriceTable,
  version?: string,
): Promise<ReadonlyMap<string, GroupCosts>> {
  const costs = new Map<string, GroupCosts>();
  for (const period of pricePeriods(prices, version)) {
    for (const row of await usageIn(db, grouping, period)) {
      const named = { provider: row.provider, model: textFromStored(row.model) };
      const cost = modelCost(period.prices, named, summedBuckets(row));
      const key = groupText(row);
      if (cost) costs.set(key, withCost(costs.get(key), cost, Number(row.calls)));
    }
  }
  return costs;
}

/** The token sums of calls that report both counts. */
function usageIn(db: Rows<'llm_calls'>, grouping: CallGrouping, period: PricePeriod) {
  return db
    .selectFrom(totalsOf(db, grouping, period))
    .select(GROUP)
    .select(USED.map((sum) => sql<number | string>`sum(${sql.ref(sum)})`.as(sum)))
    .where('total.is_known', '=', 1)
    .groupBy(GROUP)
    .execute();
}

const USED = ['calls', 'prompt', 'completion', 'cache_read', 'cache_write', 'reasoning'] as const;

function withCost(
  { pricedCalls, amounts }: GroupCosts = { pricedCalls: 0, amounts: [] },
  { currency, amount }: Amount,
  calls: number,
): GroupCosts {
  const others = amounts.filter((one) => one.currency !== currency);
  const before = amounts.find((one) => one.currency === currency)?.amount ?? 0;
  return {
    pricedCalls: pricedCalls + calls,
    amounts: [...others, { currency, amount: rounded(before + amount) }].toSorted((a, b) =>
      a.currency < b.currency ? -1 : 1,
    ),
  };
}
