import { randomUUID } from 'node:crypto';
import { PostgresServer } from '#lib/projections/testing';
import { EventStoreDbStandIn } from '../eventstoredb-stand-in/eventstoredb-stand-in.js';
import { EmbeddedPlaces } from './embedded-places.js';
import { GivenDatabase } from './given-database.js';
import { givenServers } from './given-servers.js';
import type { Place, Places } from './place.js';

interface Databases {
  emptyPlace(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * On EventStoreDB and PostgreSQL: on the servers that `EVENTSTOREDB_URL` and `DATABASE_URL` name, else on the stand-in
 * and on a PostgreSQL of its own. Each place has a prefix and a schema of its own; streams stay on a given server.
 */
export class ServerPlaces implements Places {
  readonly #folders = new EmbeddedPlaces();

  private constructor(
    private readonly databases: Databases,
    private readonly eventStoreDbUrl: string,
    private readonly standIn: EventStoreDbStandIn | undefined,
  ) {}

  static async start(): Promise<ServerPlaces> {
    const { eventStoreDb, database } = givenServers;
    const databases = await (database === undefined ? PostgresServer.start() : GivenDatabase.open(database));
    if (eventStoreDb !== undefined) return new ServerPlaces(databases, eventStoreDb, undefined);
    const standIn = await EventStoreDbStandIn.start();
    return new ServerPlaces(databases, standIn.connectionString(), standIn);
  }

  async emptyPlace(): Promise<Place> {
    const { eventStoreDbUrl } = this;
    const streamPrefix = `story_${randomUUID().slice(0, 8)}_`;
    const databaseUrl = await this.databases.emptyPlace();
    return { ...(await this.#folders.emptyPlace()), eventStoreDbUrl, databaseUrl, streamPrefix };
  }

  async stop(): Promise<void> {
    this.standIn?.kill();
    await this.databases.stop();
    await this.#folders.stop();
  }
}
