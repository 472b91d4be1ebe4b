import { table } from '../store/table.js';

/** What tells this read store from every other as a place of leases; one row. */
export const leaseStoreTable = table('lease_store', { name: 'text', id: 'text' }, ['name']);
