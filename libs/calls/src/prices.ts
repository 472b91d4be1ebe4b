import type { Usage } from './usage.js';

/** The price of a model's tokens. */
export type ModelPrice = {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
};

/** The price of one model that was in force when it was asked, in US dollars: a recorded fact, so that a cost replays. */
export type PriceInForce = ModelPrice & {
  /** Of the price table. */
  readonly version: string;
};

const MILLION = 1_000_000;

export function tokenCost(price: ModelPrice, input: number, output: number): number {
  return (input * price.inputPerMillion + output * price.outputPerMillion) / MILLION;
}

/** `undefined` where there is no price, or a reply does not report both usages. */
export function usageCost(price: ModelPrice | undefined, usage: Usage = {}): number | undefined {
  const { promptTokens, completionTokens } = usage;
  if (!price || promptTokens === undefined || completionTokens === undefined) return undefined;
  return tokenCost(price, promptTokens, completionTokens);
}
