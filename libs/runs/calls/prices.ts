import type { PriceTable } from '#lib/read-models';

/** The price lists of this engine, by which it prices the calls to models. */
export class Prices {
  constructor(readonly table: PriceTable) {}
}
