import { StoreUnavailable } from '#lib/event-store';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { connectionPool, type PostgresSettings } from './postgres-settings.js';
import { storeErrorOf } from './store-error.js';

/** A statement of a transaction, prepared once on each connection under its name. */
export interface WriterStatement extends QueryConfig {
  readonly condition?: true;
  readonly creates?: string;
}

const MAX_CONNECTIONS = 4;

/** The most time that a frozen process can hold a transaction open, and with it the process that takes over its lease. */
const LONGEST_IDLE_MS = 5_000;
/**
 * Commits do not wait for the disk. After a crash of the server the last ones may be gone, whole and with their checkpoints: the
 * projections fill them in again.
 */
const BEGIN = beginning('off');
const BEGIN_DURABLE = beginning('on');
/** The same for a single statement: set for each changed row, before the commit. */
const WITHOUT_WAITING = "returning set_config('synchronous_commit', 'off', true)";
/** Statements that return no rows of their own. */
const CHANGES_ROWS = /^(?:with|insert|update|delete) /;
/** The advisory lock of transactions that create tables. An arbitrary number that no other program should use on these databases. */
const CREATION_LOCK = 7_308_332_045;
const LOCK_CREATION: QueryConfig = { text: 'select pg_advisory_xact_lock($1)', values: [CREATION_LOCK] };
const KNOWN_NAMES =
  'select name from unnest($1::text[]) as name where to_regclass(quote_ident(name)) is not null';

/**
 * Makes transactions of statements that are all known before the first is sent. They take one round trip together, and the commit
 * or rollback takes a second one.
 */
export class PostgresWriter {
  readonly #pool: Pool;
  readonly #what: string;

  constructor(settings: PostgresSettings, address: string) {
    this.#what = `cannot write the read store ${address}`;
    this.#pool = connectionPool({ ...settings, max: MAX_CONNECTIONS, pipeline: true });
  }

  /**
   * A single statement that changes rows is a transaction by itself.
   * @param isDurable its commit waits for the disk
   * @returns false, and nothing is stored, if a condition changed no row; of a single statement the changes of its `with` are
   * stored
   * @throws ChangeRefused | StoreUnavailable
   */
  async transaction(statements: readonly WriterStatement[], isDurable: boolean): Promise<boolean> {
    if (this.#pool.ending) throw new StoreUnavailable(this.#what, 'it is closed', 'Open it again');
    try {
      const client = await this.#pool.connect();
      // After a failure the connection is closed: the server rolls back its transaction.
      let failed = true;
      try {
        const kept = await run(client, statements, isDurable);
        failed = false;
        return kept;
      } finally {
        client.release(failed);
      }
    } catch (error) {
      throw storeErrorOf(this.#what, error);
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

async function run(
  client: PoolClient,
  statements: readonly WriterStatement[],
  isDurable: boolean,
): Promise<boolean> {
  const [first, ...others] = statements;
  if (first && others.length === 0 && !isDurable && CHANGES_ROWS.test(first.text))
    return alone(client, first);
  const begin = isDurable ? BEGIN_DURABLE : BEGIN;
  const names = statements.flatMap(({ creates = [] }) => creates);
  if (names.length === 0) return settle(client, [begin, ...statements]);
  await client.query(begin);
  await client.query(LOCK_CREATION);
  return settle(client, await withoutKnown(client, names, statements));
}

function beginning(synchronousCommit: 'on' | 'off'): QueryConfig {
  const idle = `idle_in_transaction_session_timeout to ${LONGEST_IDLE_MS}`;
  return { text: `begin; set local synchronous_commit to ${synchronousCommit}; set local ${idle}` };
}

async function alone(
  client: PoolClient,
  { name, text, values, condition }: WriterStatement,
): Promise<boolean> {
  const whole = { text: `${text} ${WITHOUT_WAITING}`, values };
  const { rowCount } = await client.query(name === undefined ? whole : { name: `${name}_alone`, ...whole });
  return !(condition && rowCount === 0);
}

/** The first failure counts: after an unmet condition, failures of later statements are its consequences. */
async function settle(client: PoolClient, statements: readonly WriterStatement[]): Promise<boolean> {
  const answers = await sendAll(client, statements);
  for (const [n, answer] of answers.entries()) {
    if (answer.status === 'rejected') throw answer.reason;
    if (statements[n]?.condition && answer.value.rowCount === 0) {
      await client.query('rollback');
      return false;
    }
  }
  await client.query('commit');
  return true;
}

/** Leaves out existing tables and indexes: making an existing index still locks its table against writers. */
async function withoutKnown(
  client: PoolClient,
  names: readonly string[],
  statements: readonly WriterStatement[],
): Promise<readonly WriterStatement[]> {
  const { rows } = await client.query<{ name: string }>(KNOWN_NAMES, [names]);
  const known = new Set(rows.map(({ name }) => name));
  return statements.filter(({ creates }) => creates === undefined || !known.has(creates));
}

/** Sends all statements at once. */
function sendAll(
  client: PoolClient,
  statements: readonly QueryConfig[],
): Promise<readonly PromiseSettledResult<QueryResult>[]> {
  return Promise.allSettled(statements.map((statement) => client.query(statement)));
}
