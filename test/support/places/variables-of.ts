import type { Place } from './place.js';

/** The place as the environment of a process names it; `undefined` for a variable that must not be set. */
export function variablesOf({ dataDir, eventStoreDbUrl, databaseUrl, streamPrefix }: Place) {
  return {
    REDIAL_DATA_DIR: dataDir,
    EVENTSTOREDB_URL: eventStoreDbUrl,
    DATABASE_URL: databaseUrl,
    REDIAL_STREAM_PREFIX: streamPrefix,
  };
}
