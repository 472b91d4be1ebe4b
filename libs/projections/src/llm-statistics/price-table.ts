import type { ModelPrice } from '#lib/calls';

/** Prices from a time on, until the next version begins. */
export interface PriceVersion {
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
