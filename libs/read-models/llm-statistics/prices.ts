import { type ModelPrice, type PriceInForce, type TokenBuckets, tokenCost } from '#lib/call-rules';
import { jsonText, ownMember, present, reject, type Rejection } from '#lib/kernel';
import { storedTime } from '../store/stored-values.js';

/** Prices from a time on, up to the next version. */
interface PriceVersion {
  readonly version: string;
  /** ISO 8601. */
  readonly from: string;
  /** ISO 4217, for example `USD`. */
  readonly currency: string;
  /** By `<provider>/<model>`, or by the model's name at any provider. */
  readonly models: { readonly [model: string]: ModelPrice };
}

/** In any order. */
export type PriceTable = readonly PriceVersion[];

/** The period of a version: from `from`, before `until`, in epoch milliseconds. */
export interface PricePeriod {
  readonly prices: PriceVersion;
  readonly from: number;
  readonly until: number;
}

/**
 * The periods of the versions in order; or one version for all times, if one is chosen. Of two with the same start the later in
 * the table counts. Empty if the chosen one is not in the table.
 * @throws InvalidTime if the start of a version is not a time
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

/** An amount, and the version of its prices. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly version: string;
}

/** A model by its name at a provider. */
interface NamedModel {
  readonly provider: string;
  readonly model: string;
}

/** Null if the model has no price. */
export function modelCost(
  { version, currency, models }: PriceVersion,
  model: NamedModel,
  tokens: TokenBuckets,
): Cost | null {
  const price = priceOf(models, model);
  if (!price) return null;
  return { amount: tokenCost(price, tokens), currency, version };
}

/** Prices are by `<provider>/<model>`, else by the model's name alone. */
function priceOf(models: PriceVersion['models'], { provider, model }: NamedModel): ModelPrice | undefined {
  return ownMember(models, `${provider}/${model}`) ?? ownMember(models, model);
}

/** The price of a model at a time, for costs in US dollars. @param at ISO 8601 @throws InvalidTime */
export function priceInForce(table: PriceTable, model: NamedModel, at: string): PriceInForce | undefined {
  const time = storedTime(at);
  const period = pricePeriods(table).find(({ from, until }) => from <= time && time < until);
  if (period?.prices.currency !== 'USD') return undefined;
  const { version, models } = period.prices;
  const price = priceOf(models, model);
  if (!price) return undefined;
  const { inputPerMillion, cacheReadPerMillion, cacheWritePerMillion, outputPerMillion } = price;
  return {
    version,
    inputPerMillion,
    ...present({ cacheReadPerMillion, cacheWritePerMillion }),
    outputPerMillion,
  };
}

/** The rejection of a chosen version that is not in the table. */
export function unknownPriceVersion(table: PriceTable, version: string | undefined): Rejection | undefined {
  const known = table.map((one) => one.version);
  if (version === undefined || known.includes(version)) return undefined;
  const text = {
    what: `prices ${jsonText(version)}`,
    why: known.length === 0 ? 'there is no price table' : `the versions in the table are ${known.join(', ')}`,
    fix: 'Name a version that is in the file of REDIAL_PRICES',
  };
  return reject('malformed', 'unknown-price-version', text, [
    { path: '/priceVersion', message: 'is not a version in the price table' },
  ]);
}
