import type { ReadStore } from '../store/read-store.js';

/**
 * Opens the read store in the PostgreSQL database of this URL, in the schema that its search path names first; makes the
 * tables that are missing. Any number of processes may share it. Takes up to 11 connections. A database, or a schema, belongs
 * to one log.
 * @throws StoreUnavailable when that cannot be done: not reachable, wrong credentials, no such database, not allowed.
 */
export async function openPostgresReadStore(connectionString: string): Promise<ReadStore> {
  // Only here: who keeps rows in a file need not load the driver.
  const { PostgresReadStore } = await import('./postgres-read-store.js');
  return PostgresReadStore.open(connectionString);
}
