import { type PriceInForce, tokenBuckets, tokenCost, type Usage } from '#lib/calls';
import { ownMember } from '#lib/kernel';
import type { LlmCallRow } from '../llm-calls/llm-call-record.js';
import { storedTime } from '../row/stored-time.js';
import { pricePeriods } from './price-periods.js';
import type { PriceTable, PriceVersion } from './price-table.js';

/** An amount, and by which prices. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly version: string;
}

/**
 * The cost of a call by the prices in force at its request, or by a chosen version: a call can be priced again.
 * Null where the model has no price then, or the reply did not report both usages. @throws InvalidTime
 */
export function callCost(
  { model, requestedAt, usage }: Pick<LlmCallRow, 'model' | 'requestedAt' | 'usage'>,
  table: PriceTable,
  version?: string,
): Cost | null {
  const at = storedTime(requestedAt);
  const period = pricePeriods(table, version).find(({ from, until }) => from <= at && at < until);
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  if (!period || promptTokens === undefined || completionTokens === undefined) return null;
  return modelCost(period.prices, model, { promptTokens, completionTokens });
}

/** Null where the model has no price. */
export function modelCost(
  { version, currency, models }: PriceVersion,
  model: string,
  usage: Usage,
): Cost | null {
  const price = ownMember(models, model);
  if (!price) return null;
  return { amount: tokenCost(price, tokenBuckets(usage)), currency, version };
}

/** The price of a model at a time, for costs in US dollars. @param at ISO 8601 @throws InvalidTime */
export function priceInForce(table: PriceTable, model: string, at: string): PriceInForce | undefined {
  const time = storedTime(at);
  const period = pricePeriods(table).find(({ from, until }) => from <= time && time < until);
  if (period?.prices.currency !== 'USD') return undefined;
  const { version, models } = period.prices;
  const price = ownMember(models, model);
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
