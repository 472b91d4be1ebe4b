import { ownMember } from '#lib/kernel';
import type { LlmCallRecord } from '../llm-calls/llm-call-record.js';
import { storedTime } from '../row/stored-time.js';
import { pricePeriods } from './price-periods.js';
import type { PriceTable, PriceVersion } from './price-table.js';

/** An amount, and by which prices. */
export interface Cost {
  readonly amount: number;
  readonly currency: string;
  readonly version: string;
}

const MILLION = 1_000_000;

/**
 * What a call cost by the prices in force when it was requested, or by a version that is chosen: a call can be priced again.
 * Null where the model has no price then, or the reply did not report both usages. @throws InvalidTime
 */
export function callCost(
  { model, requestedAt, usage }: Pick<LlmCallRecord, 'model' | 'requestedAt' | 'usage'>,
  table: PriceTable,
  version?: string,
): Cost | null {
  const at = storedTime(requestedAt);
  const period = pricePeriods(table, version).find(({ from, until }) => from <= at && at < until);
  const { prompt_tokens: input, completion_tokens: output } = usage ?? {};
  if (!period || input === undefined || output === undefined) return null;
  return tokenCost(period.prices, model, input, output);
}

/** Null where the model has no price. */
export function tokenCost(
  { version, currency, models }: PriceVersion,
  model: string,
  input: number,
  output: number,
): Cost | null {
  const price = ownMember(models, model);
  if (!price) return null;
  const amount = (input * price.inputPerMillion + output * price.outputPerMillion) / MILLION;
  return { amount, currency, version };
}
