import { StoreUnavailable } from '#lib/event-store';
import { Client, Pool, type PoolConfig, types } from 'pg';

const LONGEST_CONNECT_MS = 10_000;
const NUMBERS = [types.builtins.INT8, types.builtins.NUMERIC];

/** How the connections of a store are made. */
export type PostgresSettings = PoolConfig & { readonly connectionString: string };

export const DEFAULT_SCHEMA = 'redial';

/** The schema that a connection string names itself, as the first one of the search path in its `options`. */
export function schemaIn(connectionString: string): string | undefined {
  return /search_path="?([A-Za-z_][A-Za-z0-9_]*)/.exec(optionsOf(connectionString))?.[1];
}

/**
 * @param schema in which every connection works
 * @throws StoreUnavailable when the text is not a connection string; it is not shown, since it may hold a password
 */
export function postgresSettings(connectionString: string, schema: string): PostgresSettings {
  return {
    connectionString: withSearchPath(connectionString, schema),
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
    keepAlive: true,
    // Numbers as on SQLite; left alone, the driver would give these as text.
    types: {
      getTypeParser: (type, format) => (NUMBERS.includes(type) ? Number : types.getTypeParser(type, format)),
    },
  };
}

/** Of several `options` in a connection string the last one counts, and of several search paths in it. */
function withSearchPath(connectionString: string, schema: string): string {
  const options = `${optionsOf(connectionString)} -c search_path="${schema}"`.trim();
  const separator = connectionString.includes('?') ? '&' : '?';
  return `${connectionString}${separator}options=${encodeURIComponent(options)}`;
}

function optionsOf(connectionString: string): string {
  const [, encoded = ''] = /[?&]options=([^&]*)/.exec(connectionString) ?? [];
  return decodeURIComponent(encoded.replaceAll('+', ' '));
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

/** A pool whose connections may break: queries on a broken connection fail, and a broken idle connection is replaced. */
export function connectionPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  const ignored = () => undefined;
  pool.on('error', ignored);
  pool.on('connect', (client) => client.on('error', ignored));
  return pool;
}
