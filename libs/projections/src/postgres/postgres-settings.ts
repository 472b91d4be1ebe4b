import { StoreUnavailable } from '#lib/event-store';
import { Client, type PoolConfig, types } from 'pg';

const LONGEST_CONNECT_MS = 10_000;
const NUMBERS = [types.builtins.INT8, types.builtins.NUMERIC];

/** How the connections of a store are made. */
export type PostgresSettings = PoolConfig & { readonly connectionString: string };

/** @throws StoreUnavailable when the text is no connection string; it is not shown, since it may hold a password */
export function postgresSettings(connectionString: string): PostgresSettings {
  return {
    connectionString,
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
    keepAlive: true,
    // Numbers as on SQLite; left alone, the driver would give these as text.
    types: {
      getTypeParser: (type, format) => (NUMBERS.includes(type) ? Number : types.getTypeParser(type, format)),
    },
  };
}

/** `host:port/database`: what may be said of a connection string. @throws StoreUnavailable */
export function addressOf(connectionString: string): string {
  try {
    const { host, port, database } = new Client({ connectionString });
    return `${host}:${port}/${database ?? ''}`;
  } catch {
    // Without the cause: it holds the text.
    throw new StoreUnavailable(
      'the read store on PostgreSQL',
      'its connection string cannot be read',
      'Write it as postgres://user:password@host:5432/database, other signs in its parts percent-encoded',
    );
  }
}
