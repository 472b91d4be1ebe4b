import type { DeclaredMembers } from '#lib/event-store';
import { type TokenBuckets, tokenBuckets } from './token-buckets.js';
import type { Usage } from './usage.js';

/** The price of a model's tokens. */
export type ModelPrice = {
  readonly inputPerMillion: number;
  /** Default: the price of other input. */
  readonly cacheReadPerMillion?: number;
  /** Default: the price of other input. */
  readonly cacheWritePerMillion?: number;
  readonly outputPerMillion: number;
};

/** The price of one model, in US dollars, when it was asked. It is a recorded fact, so that costs replay. */
export type PriceInForce = ModelPrice & {
  /** The version of the price table. */
  readonly version: string;
};

export const priceMembers = {
  version: 'structure',
  inputPerMillion: 'structure',
  cacheReadPerMillion: 'structure',
  cacheWritePerMillion: 'structure',
  outputPerMillion: 'structure',
} as const satisfies DeclaredMembers<PriceInForce>;

const MILLION = 1_000_000;

/** The cost of these tokens in US dollars. */
export function tokenCost(price: ModelPrice, buckets: TokenBuckets): number {
  const { inputPerMillion, outputPerMillion } = price;
  const { cacheReadPerMillion = inputPerMillion, cacheWritePerMillion = inputPerMillion } = price;
  return (
    (buckets.inputUncached * inputPerMillion +
      buckets.cacheRead * cacheReadPerMillion +
      buckets.cacheWrite * cacheWritePerMillion +
      buckets.output * outputPerMillion) /
    MILLION
  );
}

/** The cost in US dollars; `undefined` if there is no price, or if a reply does not report both token counts. */
export function usageCost(price: ModelPrice | undefined, usage: Usage = {}): number | undefined {
  const { promptTokens, completionTokens } = usage;
  if (!price || promptTokens === undefined || completionTokens === undefined) return undefined;
  return tokenCost(price, tokenBuckets(usage));
}
