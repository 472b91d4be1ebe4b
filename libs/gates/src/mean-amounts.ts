import type { Amount } from '#lib/projections';

/** The mean of amounts over a count, by currency, in order of its name. */
export function meanAmounts(amounts: readonly Amount[], count: number): readonly Amount[] {
  const currencies = [...new Set(amounts.map(({ currency }) => currency))].toSorted();
  return currencies.map((currency) => {
    const own = amounts.filter((one) => one.currency === currency);
    return { currency, amount: own.reduce((sum, { amount }) => sum + amount, 0) / Math.max(1, count) };
  });
}
