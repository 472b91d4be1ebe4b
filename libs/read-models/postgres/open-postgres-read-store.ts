import { loadPart } from '#lib/kernel';
import type { ReadStore } from '../store/read-store.js';

/**
 * Opens the read store in the PostgreSQL database of this URL, in a schema of its own; makes the schema and missing tables. Any
 * number of processes may share it. Takes up to 11 connections. A schema belongs to one log.
 * @param schema default: the first one of a search path in the URL, else `redial`
 * @throws StoreUnavailable if it cannot be opened: not reachable, wrong credentials, no such database, not allowed.
 */
export async function openPostgresReadStore(connectionString: string, schema?: string): Promise<ReadStore> {
  const { PostgresReadStore } = await loadPart('PostgreSQL', () => import('./postgres-read-store.js'));
  return PostgresReadStore.open(connectionString, schema);
}
