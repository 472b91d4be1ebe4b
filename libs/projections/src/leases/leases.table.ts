import { table } from '../store/table.js';

export const leasesTable = table(
  'leases',
  { name: 'text', owner: 'text', expires_at: 'bigint', token: 'bigint' },
  ['name'],
);

/** The last token that was given, for all leases; one row. It outlives the rows of `leases`. */
export const leaseTokensTable = table('lease_tokens', { name: 'text', last: 'bigint' }, ['name']);
