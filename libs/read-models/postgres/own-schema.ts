import { StoreUnavailable } from '#lib/event-store';
import { Client } from 'pg';
import { storeErrorOf } from './store-error.js';
import type { PostgresSettings } from './postgres-settings.js';

/** Tables without a version in their names. */
const UNVERSIONED = ['checkpoints', 'leases', 'lease_store', 'lease_tokens', 'schema_version'];
const UNIQUE_VIOLATION = '23505';
const DUPLICATE_SCHEMA = '42P06';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes a missing schema.
 * @param what the store, for errors
 * @throws StoreUnavailable also for a schema with tables of others: nothing is made in it
 */
export async function prepareSchema(settings: PostgresSettings, schema: string, what: string): Promise<void> {
  await withClient(settings, what, async (client) => {
    if (!(await exists(client, schema))) await make(client, schema);
    const foreign = await foreignTables(client, schema);
    if (foreign.length > 0) throw shared(what, schema, foreign);
  });
}

async function withClient(
  settings: PostgresSettings,
  what: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = new Client(settings);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    throw error instanceof StoreUnavailable ? error : storeErrorOf(what, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Makes a missing schema of the views for analysts. It is a schema of its own, because older builds refuse one with unknown
 * views.
 * @returns whether views can be made: this process may lack the right to it
 * @throws StoreUnavailable
 */
export async function prepareViews(
  settings: PostgresSettings,
  schema: string,
  what: string,
): Promise<boolean> {
  let takesViews = false;
  await withClient(settings, what, async (client) => {
    if (!(await exists(client, schema)) && !(await isMade(client, schema))) return;
    const { rows } = await client.query<{ may: boolean }>(
      "select has_schema_privilege($1, 'create') as may",
      [schema],
    );
    takesViews = rows[0]?.may === true;
  });
  return takesViews;
}

async function isMade(client: Client, schema: string): Promise<boolean> {
  try {
    await make(client, schema);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/** Checked first: creating a schema takes a right that an existing one does not need. */
async function exists(client: Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  return rowCount === 1;
}

async function make(client: Client, schema: string): Promise<void> {
  try {
    await client.query(`create schema if not exists ${client.escapeIdentifier(schema)}`);
  } catch (error) {
    const { code } = error as { code?: string };
    // Another process made it at the same time.
    if (code !== UNIQUE_VIOLATION && code !== DUPLICATE_SCHEMA) throw error;
  }
}

/** Tables, views and sequences that are not of a read store. Without `schema_version` all are foreign. */
async function foreignTables(client: Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname = $1 and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by relname`,
    [schema],
  );
  const names = rows.map(({ name }) => name);
  const isOwn = names.includes('schema_version');
  return names.filter((name) => !isOwn || !(UNVERSIONED.includes(name) || /^[a-z_]+_v\d+$/.test(name)));
}

function shared(what: string, schema: string, foreign: readonly string[]): StoreUnavailable {
  const named = foreign.slice(0, 3).join(', ');
  const more = foreign.length > 3 ? ` and ${foreign.length - 3} more` : '';
  return new StoreUnavailable(
    what,
    `the schema ${schema} holds tables that are not Redial's: ${named}${more}`,
    'Name a schema that is empty or does not exist (option databaseSchema, REDIAL_DATABASE_SCHEMA)',
  );
}
