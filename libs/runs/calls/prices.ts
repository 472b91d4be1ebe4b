import type { PriceTable } from '#lib/read-models';

/** The price lists with which this engine prices calls to models. */
export class Prices {
  constructor(readonly table: PriceTable) {}
}
