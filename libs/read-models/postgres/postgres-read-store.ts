import { ChangeSignal } from '#lib/event-store';
import { Kysely, sql } from 'kysely';
import type { ReadSchema } from '../store/read-schema.js';
import type { ReadStore } from '../store/read-store.js';
import type { Change, CompiledTemplate, Template } from '../store/statement.js';
import { migrate } from './migrate.js';
import { PostgresReader } from './postgres-reader.js';
import { postgresWords, type SqlWords } from '../views/sql-words.js';
import { prepareSchema, prepareViews } from './own-schema.js';
import {
  addressOf,
  DEFAULT_SCHEMA,
  type PostgresSettings,
  postgresSettings,
  schemaIn,
} from './postgres-settings.js';
import { PostgresWriter, type WriterStatement } from './postgres-writer.js';
import { ReadStoreDialect } from './read-store-dialect.js';
import { RowChangeListener } from './row-change-listener.js';

const isDurable = ({ durable }: Change): boolean => durable === true;

interface Prepared {
  readonly name: string;
  readonly template: CompiledTemplate;
}

/** The read store in a PostgreSQL database, shared by any number of processes on any number of machines. */
export class PostgresReadStore implements ReadStore {
  readonly location: string;
  readonly arrivals = new ChangeSignal();
  readonly sharesTransactions = false;
  readonly db: Kysely<ReadSchema>;
  readonly now = sql<number>`(extract(epoch from now()) * 1000)::bigint`;
  readonly #reader: PostgresReader;
  readonly #writer: PostgresWriter;
  readonly #news: RowChangeListener;
  readonly #prepared = new Map<Template, Prepared>();
  #closing: Promise<void> | undefined;

  /** @throws StoreUnavailable */
  static async open(
    connectionString: string,
    schema = schemaIn(connectionString) ?? DEFAULT_SCHEMA,
  ): Promise<PostgresReadStore> {
    const address = addressOf(connectionString);
    const what = `cannot open the read store ${address}`;
    const settings = postgresSettings(connectionString, schema);
    await prepareSchema(settings, schema, what);
    const views = `${schema}_views`;
    const takesViews = await prepareViews(settings, views, what);
    const store = new PostgresReadStore(settings, address, postgresWords(views), takesViews);
    try {
      await migrate(store, what);
      store.#news.start();
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  private constructor(
    settings: PostgresSettings,
    address: string,
    readonly words: SqlWords,
    readonly takesViews: boolean,
  ) {
    this.location = `PostgreSQL at ${address}`;
    this.#reader = new PostgresReader(settings, address);
    this.#writer = new PostgresWriter(settings, address);
    this.#news = new RowChangeListener(settings, () => this.arrivals.announce());
    this.db = new Kysely({ dialect: new ReadStoreDialect({ pool: this.#reader }) });
  }

  async write(changes: readonly Change[]): Promise<boolean> {
    const statements = changes.map((change) => this.#statementOf(change));
    const isAwaited = changes.some(({ awaited }) => awaited);
    const all = [...statements, ...(isAwaited ? [this.#news.telling] : [])];
    const kept = await this.#writer.transaction(all, changes.some(isDurable));
    if (kept) this.arrivals.announce();
    return kept;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.arrivals.end();
    await Promise.all([this.#news.end(), this.#writer.end(), this.#reader.end()]);
  }

  #statementOf({ template, values, condition, creates }: Change): WriterStatement {
    const { name, template: compiled } = this.#prepare(template);
    return {
      // Statements that run once are not kept prepared.
      ...(creates === undefined && { name }),
      text: compiled.sql,
      values: compiled.parametersOf(values),
      ...(condition && { condition }),
      ...(creates !== undefined && { creates }),
    };
  }

  #prepare(template: Template): Prepared {
    const known = this.#prepared.get(template);
    if (known) return known;
    const prepared = { name: `redial_${this.#prepared.size}`, template: template.compile(this.db) };
    this.#prepared.set(template, prepared);
    return prepared;
  }
}
