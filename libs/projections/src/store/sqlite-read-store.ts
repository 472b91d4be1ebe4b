import { hostname } from 'node:os';
import { Arrivals, StoreUnavailable } from '#lib/event-store';
import { unavailable, withLock } from '#lib/event-store-sqlite';
import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import { ChangeRefused, type ReadStore } from './read-store.js';
import { SqliteReader } from './sqlite-reader.js';
import type { Change, CompiledTemplate, Template } from './statement.js';

interface Prepared {
  readonly template: CompiledTemplate;
  readonly statement: Database.Statement;
}

class ConditionNotMet extends Error {}

/**
 * The read store in one SQLite file. A write takes the lock, does its work and lets go within one turn of the event loop
 * (`BEGIN IMMEDIATE`), so writers of one process never wait for each other. Reading has a connection of its own.
 */
export class SqliteReadStore implements ReadStore {
  readonly place: string;
  readonly arrivals = new Arrivals();
  readonly db: Kysely<ReadSchema>;
  readonly #prepared = new Map<Template, Prepared>();
  readonly #transaction: Database.Transaction<(changes: readonly Change[]) => void>;

  constructor(
    private readonly file: string,
    private readonly writer: Database.Database,
    private readonly reader: Database.Database,
  ) {
    this.place = `${file} on ${hostname()}`;
    this.db = new Kysely({ dialect: new SqliteDialect({ database: new SqliteReader(reader, file) }) });
    this.#transaction = writer.transaction((changes: readonly Change[]) => {
      for (const change of changes) this.#make(change);
    });
  }

  async write(changes: readonly Change[]): Promise<boolean> {
    try {
      await withLock(() => {
        this.#assertOpen();
        this.#transaction.immediate(changes);
      });
    } catch (error) {
      if (error instanceof ConditionNotMet) return false;
      throw inWords(`cannot write the read store ${this.file}`, error);
    }
    this.arrivals.announce();
    return true;
  }

  async close(): Promise<void> {
    if (this.arrivals.ended) return;
    this.arrivals.end();
    this.reader.close();
    // Last, because the connection that can write tidies up the -wal file.
    this.writer.close();
  }

  #assertOpen(): void {
    if (!this.arrivals.ended) return;
    throw new StoreUnavailable(`cannot write the read store ${this.file}`, 'it is closed', 'Open it again');
  }

  #make({ template, values, condition }: Change): void {
    const { statement, template: compiled } = this.#prepare(template);
    const { changes } = statement.run(compiled.parametersOf(values));
    if (condition && changes === 0) throw new ConditionNotMet();
  }

  #prepare(template: Template): Prepared {
    const known = this.#prepared.get(template);
    if (known) return known;
    const compiled = template.compile(this.db);
    const prepared = { template: compiled, statement: this.writer.prepare(compiled.sql) };
    this.#prepared.set(template, prepared);
    return prepared;
  }
}

/** What SQLite says becomes ours; anything else is a bug and stays as it is. */
function inWords(what: string, error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return new ChangeRefused(what, message, 'Look at the event that led to this row', { cause: error });
  }
  return code.startsWith('SQLITE') ? unavailable(what, error) : error;
}
