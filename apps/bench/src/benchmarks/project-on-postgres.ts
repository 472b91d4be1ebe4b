import type { EventLog } from '#lib/event-store';
import { models, openPostgresReadStore, ProjectionRunner } from '#lib/read-models';
import type { Benchmark, Comparison } from '../comparison.js';
import { type BulkRows, readRows, upsertInBulk } from '../fixtures/upsert-in-bulk.js';
import { makeSessionLog } from '../fixtures/session-log.js';
import { PostgresServer } from '../servers/postgres-server.js';

/** 910 sessions of 22 events: a few more than 20,000. */
const SESSIONS = 910;
const ROUNDS = 3;
const LONGEST_MS = 120_000;

/** Read models on PostgreSQL filled from the start of a log. */
export const projectOnPostgres: Benchmark = {
  name: 'project-on-postgres',
  group: 'eventstoredb',
  async open(folder) {
    const { log, events } = await makeSessionLog(folder, { sessions: SESSIONS, rounds: ROUNDS });
    const server = await PostgresServer.start();
    return {
      comparisons: [comparisonOf('project-on-postgres', { log, events, server })],
      async close() {
        await log.store.close();
        await server.stop();
      },
    };
  },
};

interface Parts {
  readonly log: EventLog;
  readonly events: number;
  readonly server: PostgresServer;
}

/** Both sides begin with an empty schema. The bare side writes the rows that ours left when it warmed up. */
function comparisonOf(name: string, { log, events, server }: Parts): Comparison {
  const tables = models.flatMap(({ kinds }) => kinds.map(({ table }) => table));
  let rows: BulkRows | undefined;
  const ours = async () => {
    const place = await server.emptyPlace();
    const store = await openPostgresReadStore(place);
    const runner = new ProjectionRunner(log, store, [{ name: 'rows', models }]);
    await runner.start();
    await runner.caughtUpWithHead(LONGEST_MS);
    await runner.stop();
    await store.close();
    rows ??= await readRows(place, tables);
  };
  return {
    name,
    compared: `all rows catching up on PostgreSQL, event by event / only the rows this leaves, upserted 1,000 a statement`,
    unit: 'events',
    unitsPerCall: events,
    blocks: 3,
    callsPerBlock: 1,
    ours,
    bare: async () => upsertInBulk(await server.emptyPlace(), tables, rows ?? {}),
  };
}
