import { openPostgresReadStore } from '../postgres/open-postgres-read-store.js';
import type { PostgresServer } from './postgres-server.js';
import { openLog } from './sample-log.js';
import { TestParts } from './test-parts.js';

/** A log in memory, and read stores on PostgreSQL: each name is a schema of its own. */
export function postgresParts(server: PostgresServer): TestParts {
  const places = new Map<string, Promise<string>>();
  return new TestParts(openLog(), async (name) => {
    const place = places.get(name) ?? server.emptyPlace();
    places.set(name, place);
    return openPostgresReadStore(await place);
  });
}
