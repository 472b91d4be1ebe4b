import { StoreUnavailable } from '#lib/event-store';
import { Client, Pool, type PoolConfig, types } from 'pg';

const LONGEST_CONNECT_MS = 10_000;
const NUMBERS = [types.builtins.INT8, types.builtins.NUMERIC];

/** The settings of a store's connections. */
export type PostgresSettings = PoolConfig & { readonly connectionString: string };

export const DEFAULT_SCHEMA = 'redial';

/** The schema in a connection string: the first one of the search path in its `options`. */
export function schemaIn(connectionString: string): string | undefined {
  return /search_path="?([A-Za-z_][A-Za-z0-9_]*)/.exec(optionsOf(connectionString))?.[1];
}

/**
 * @param schema of every connection
 * @throws StoreUnavailable if the text is not a connection string; the text is not shown, since it may hold a password
 */
export function postgresSettings(connectionString: string, schema: string): PostgresSettings {
  return {
    connectionString: withSearchPath(connectionString, schema),
    connectionTimeoutMillis: LONGEST_CONNECT_MS,
    keepAlive: true,
    // Numbers as on SQLite: by default the driver gives these as text.
    types: {
      getTypeParser: (type, format) => (NUMBERS.includes(type) ? Number : types.getTypeParser(type, format)),
    },
  };
}

/** Of several `options` in a connection string the last one counts, and of several search paths in it too. */
function withSearchPath(connectionString: string, schema: string): string {
  const options = `${optionsOf(connectionString)} -c search_path="${schema}"`.trim();
  const separator = connectionString.includes('?') ? '&' : '?';
  return `${connectionString}${separator}options=${encodeURIComponent(options)}`;
}

function optionsOf(connectionString: string): string {
  const [, encoded = ''] = /[?&]options=([^&]*)/.exec(connectionString) ?? [];
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}

/** `host:port/database`: the part of a connection string that may be shown. @throws StoreUnavailable */
export function addressOf(connectionString: string): string {
  try {
    const { host, port, database } = new Client({ connectionString });
    return `${host}:${port}/${database ?? ''}`;
  } catch {
    // Without the cause, which holds the text.
    throw new StoreUnavailable(
      'the read store on PostgreSQL',
      'its connection string cannot be read',
      'Write it as postgres://user:password@host:5432/database, other signs in its parts percent-encoded',
    );
  }
}

/** A pool for connections that may break: queries on a broken one fail, and a broken idle one is replaced. */
export function connectionPool(config: PoolConfig): Pool {
  const pool = new Pool(config);
  const ignored = () => undefined;
  pool.on('error', ignored);
  pool.on('connect', (client) => client.on('error', ignored));
  return pool;
}
