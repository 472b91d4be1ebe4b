import { jsonText, reject, type Rejection } from '#lib/kernel';
import type { PriceTable } from './price-table.js';

/** Why calls cannot be priced by this version; `undefined` where they can, or none is chosen. */
export function unknownPriceVersion(table: PriceTable, version: string | undefined): Rejection | undefined {
  const known = table.map((one) => one.version);
  if (version === undefined || known.includes(version)) return undefined;
  const text = {
    errorClass: 'UnknownPriceVersion',
    what: `prices ${jsonText(version)}`,
    why: known.length === 0 ? 'there is no price table' : `the versions in the table are ${known.join(', ')}`,
    fix: 'Name a version that is in the file of REDIAL_PRICES',
  };
  return reject('malformed', 'unknown-price-version', text, [
    { path: '/priceVersion', message: 'is not a version in the price table' },
  ]);
}
