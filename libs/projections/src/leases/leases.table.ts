import { table } from '../store/table.js';

export const leasesTable = table(
  'leases',
  { name: 'text', owner: 'text', expires_at: 'bigint', token: 'integer' },
  ['name'],
);
