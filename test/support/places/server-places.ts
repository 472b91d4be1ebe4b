import { randomUUID } from 'node:crypto';
import { temporaryFolder } from '#lib/kernel/testing';
import { PostgresServer } from '#lib/read-models/testing';
import { GivenDatabase } from './given-database.js';
import { GivenEventStore } from './given-event-store.js';
import { givenServers } from './given-servers.js';
import type { Place, Places } from './place.js';

interface EventStoreServer {
  readonly url: string;
  /** @param prefixes of the logs that were made on it */
  stop(prefixes: readonly string[]): Promise<void>;
}

interface Databases {
  emptyPlace(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * On EventStoreDB and PostgreSQL: on the servers that `EVENTSTOREDB_URL` and `DATABASE_URL` name, else on the stand-in
 * and on a PostgreSQL of its own. Each place has a prefix and a schema of its own, which are deleted from a given server.
 */
export class ServerPlaces implements Places {
  readonly #prefixes: string[] = [];

  private constructor(
    private readonly databases: Databases,
    private readonly eventStore: EventStoreServer,
  ) {}

  static async start(): Promise<ServerPlaces> {
    const { eventStoreDb, database } = givenServers;
    const databases = await (database === undefined ? PostgresServer.start() : GivenDatabase.open(database));
    const eventStore = await (eventStoreDb === undefined
      ? startStandIn()
      : GivenEventStore.open(eventStoreDb));
    return new ServerPlaces(databases, eventStore);
  }

  async emptyPlace(): Promise<Place> {
    const eventStoreDbUrl = this.eventStore.url;
    const streamPrefix = `story_${randomUUID().slice(0, 8)}_`;
    this.#prefixes.push(streamPrefix);
    const databaseUrl = await this.databases.emptyPlace();
    return { dataDir: temporaryFolder(), eventStoreDbUrl, databaseUrl, streamPrefix };
  }

  async stop(): Promise<void> {
    await this.eventStore.stop(this.#prefixes);
    await this.databases.stop();
  }
}

/** Loaded where it is needed: what runs on a given server depends on nothing of it. */
async function startStandIn(): Promise<EventStoreServer> {
  const { EventStoreDbStandIn } = await import('../eventstoredb-stand-in/eventstoredb-stand-in.js');
  const standIn = await EventStoreDbStandIn.start();
  return { url: standIn.connectionString(), stop: async () => standIn.kill() };
}
