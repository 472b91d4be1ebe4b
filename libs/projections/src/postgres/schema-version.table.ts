import { table } from '../store/table.js';

/** How many of the migrations a read store on PostgreSQL has been through; one row. */
export const schemaVersionTable = table('schema_version', { name: 'text', version: 'integer' }, ['name']);
