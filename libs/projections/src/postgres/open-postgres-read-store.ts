import type { ReadStore } from '../store/read-store.js';
import { migrate } from './migrate.js';
import { addressOf, postgresSettings } from './postgres-settings.js';
import { PostgresReadStore } from './postgres-read-store.js';

/**
 * Opens the read store in the PostgreSQL database of this URL, in the schema that its search path names first; makes the
 * tables that are missing. Any number of processes may share it. Takes up to 11 connections. A database, or a schema, belongs
 * to one log.
 * @throws StoreUnavailable when that cannot be done: not reachable, wrong credentials, no such database, not allowed.
 */
export async function openPostgresReadStore(connectionString: string): Promise<ReadStore> {
  const address = addressOf(connectionString);
  const store = new PostgresReadStore(postgresSettings(connectionString), address);
  try {
    await migrate(store, `cannot open the read store ${address}`);
    store.listen();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
