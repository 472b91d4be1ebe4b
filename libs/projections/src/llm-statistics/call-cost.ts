import { type ModelPrice, type PriceInForce, type TokenBuckets, tokenCost } from '#lib/calls';
import { ownMember } from '#lib/kernel';
import type { LlmCallRow } from '../llm-calls/llm-call-record.js';
import { storedTime } from '../store/stored-values.js';
import { pricePeriods } from './price-periods.js';
import type { PriceTable, PriceVersion } from './price-table.js';

/** An amount, and by which prices. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly version: string;
}

/** A model by its name at a provider. */
type NamedModel = Pick<LlmCallRow, 'provider' | 'model'>;

type PricedCall = NamedModel & Pick<LlmCallRow, 'requestedAt' | 'usage' | 'tokens'>;

/**
 * The cost of a call by the prices in force at its request, or by a chosen version: a call can be priced again.
 * Null where the model has no price then, or the reply did not report both usages. @throws InvalidTime
 */
export function callCost(
  { requestedAt, usage, tokens, ...model }: PricedCall,
  table: PriceTable,
  version?: string,
): Cost | null {
  const at = storedTime(requestedAt);
  const period = pricePeriods(table, version).find(({ from, until }) => from <= at && at < until);
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (!period || input === undefined || output === undefined) return null;
  return modelCost(period.prices, model, tokens);
}

/** Null where the model has no price. */
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
    ...(cacheReadPerMillion !== undefined && { cacheReadPerMillion }),
    ...(cacheWritePerMillion !== undefined && { cacheWritePerMillion }),
    outputPerMillion,
  };
}
