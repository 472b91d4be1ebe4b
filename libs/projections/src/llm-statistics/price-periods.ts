import { storedTime } from '../store/stored-values.js';
import type { PriceTable, PriceVersion } from './price-table.js';

/** When a version prices calls: from `from` on, before `until`, in epoch milliseconds. */
export interface PricePeriod {
  readonly prices: PriceVersion;
  readonly from: number;
  readonly until: number;
}

/**
 * Each version until the next one begins, in order; or one version for all times where one is chosen. Of two that begin at
 * once, the later in the table counts. None where the chosen one is not in the table.
 * @throws InvalidTime when a version begins at no time
 */
export function pricePeriods(table: PriceTable, version?: string): readonly PricePeriod[] {
  if (version !== undefined) {
    const chosen = table.filter((one) => one.version === version).slice(0, 1);
    return chosen.map((prices) => ({ prices, from: -Infinity, until: Infinity }));
  }
  const begins = table
    .map((prices) => ({ prices, from: storedTime(prices.from) }))
    .toSorted((a, b) => a.from - b.from);
  return begins
    .map((one, n) => ({ ...one, until: begins[n + 1]?.from ?? Infinity }))
    .filter(({ from, until }) => from < until);
}
