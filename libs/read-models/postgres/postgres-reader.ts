import { StoreUnavailable } from '#lib/event-store';
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { connectionPool, type PostgresSettings } from './postgres-settings.js';
import { storeErrorOf } from './store-error.js';

const MAX_CONNECTIONS = 6;
const LONGEST_QUERY_MS = 30_000;

/** The driver of Kysely's reads: its own connections, so that it never waits for a writer, and errors of Redial's classes. */
export class PostgresReader implements PostgresPool {
  readonly #pool: Pool;
  readonly #what: string;

  constructor(settings: PostgresSettings, address: string) {
    this.#what = `cannot read the read store ${address}`;
    this.#pool = connectionPool({ ...settings, max: MAX_CONNECTIONS, query_timeout: LONGEST_QUERY_MS });
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#pool.ending) throw new StoreUnavailable(this.#what, 'it is closed', 'Open it again');
    try {
      return new ReadingClient(await this.#pool.connect(), this.#what);
    } catch (error) {
      throw storeErrorOf(this.#what, error);
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

class ReadingClient implements PostgresPoolClient {
  #broken = false;

  constructor(
    private readonly client: PoolClient,
    private readonly what: string,
  ) {}

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  // Required by the interface, for users of Kysely with a class of cursors.
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    return this.#ask(String(sql), parameters.map(withoutNul));
  }

  release(): void {
    this.client.release(this.#broken);
  }

  async #ask(sql: string, parameters: unknown[]): Promise<unknown> {
    try {
      return await this.client.query(sql, parameters);
    } catch (error) {
      // A connection that did not answer in time may answer a later query instead.
      this.#broken ||= !(error instanceof DatabaseError);
      throw storeErrorOf(this.what, error);
    }
  }
}

/** No stored text holds a NUL, so a search for one finds no row. The next character replaces it: the order is the same. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\u0001') : value;
}
