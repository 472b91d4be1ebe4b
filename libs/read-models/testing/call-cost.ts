import type { LlmCallRow } from '../llm-calls/llm-call-record.js';
import { type Cost, modelCost, pricePeriods, type PriceTable } from '../llm-statistics/prices.js';

type PricedCall = Pick<LlmCallRow, 'provider' | 'model' | 'requestedAt' | 'usage' | 'tokens'>;

/**
 * The cost of one call by the prices in force at its request, or by a chosen version, as statistics sum it up. Null if the model
 * has no price then, or the reply did not report both token counts.
 */
export function callCost(
  { requestedAt, usage, tokens, ...model }: PricedCall,
  table: PriceTable,
  version?: string,
): Cost | null {
  const at = Date.parse(requestedAt);
  const period = pricePeriods(table, version).find(({ from, until }) => from <= at && at < until);
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (!period || input === undefined || output === undefined) return null;
  return modelCost(period.prices, model, tokens);
}
