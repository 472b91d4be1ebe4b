import { table } from '../store/table.js';

/** The identity of this read store as a store of leases; one row. */
export const leaseStoreTable = table('lease_store', { name: 'text', id: 'text' }, ['name']);
