import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { ChangeSignal, StoreUnavailable } from '#lib/event-store';
import { unavailable, withLock, orUnavailable } from '#lib/event-store-sqlite';
import type Database from 'better-sqlite3';
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import type { ReadSchema } from './read-schema.js';
import { ChangeRefused, type ReadStore } from './read-store.js';
import type { Change, CompiledTemplate, Template } from './statement.js';

/** The driver for Kysely's reads: statements are prepared once for each SQL text, and errors are of Redial's classes. */
class SqliteReader implements SqliteDatabase {
  readonly #prepared = new Map<string, SqliteStatement>();

  constructor(
    private readonly db: Database.Database,
    private readonly file: string,
  ) {}

  prepare(sql: string): SqliteStatement {
    const what = `cannot read the read store ${this.file}`;
    if (!this.db.open) throw new StoreUnavailable(what, 'it is closed', 'Open it again');
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = orUnavailable(what, () => this.db.prepare(sql));
    const prepared: SqliteStatement = {
      reader: statement.reader,
      all: (parameters) => orUnavailable(what, () => statement.all(parameters)),
      run: (parameters) => orUnavailable(what, () => statement.run(parameters)),
      iterate: (parameters) => orUnavailable(what, () => statement.iterate(parameters)),
    };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  close(): void {
    this.db.close();
  }
}

interface Prepared {
  readonly template: CompiledTemplate;
  readonly statement: Database.Statement;
}

/** Changes of one caller, and how they came out. */
interface Write {
  readonly changes: readonly Change[];
  kept: boolean;
  refusal?: unknown;
}

/** Writes that share a transaction. */
interface Batch {
  readonly writes: Write[];
  size: number;
  readonly written: Promise<void>;
}

class ConditionNotMet extends Error {}

/** A batch that holds more changes takes no other write: a catch-up must not hold the event loop for long. */
const MANY_CHANGES = 500;

/**
 * The read store in one SQLite file. Writes that are asked for in one turn of the event loop share a transaction
 * (`BEGIN IMMEDIATE`). Where one of them fails they are made again, each in a savepoint of its own: it takes no other with it.
 * The transaction ends within the turn in which it began. Reading has a connection of its own.
 */
export class SqliteReadStore implements ReadStore {
  readonly location: string;
  readonly arrivals = new ChangeSignal();
  readonly db: Kysely<ReadSchema>;
  readonly #prepared = new Map<Template, Prepared>();
  readonly #savepoint: Database.Transaction<(changes: readonly Change[]) => void>;
  readonly #whole: Database.Transaction<(writes: readonly Write[]) => void>;
  readonly #eachAlone: Database.Transaction<(writes: readonly Write[]) => void>;
  /** Takes writes until its transaction begins. */
  #batch: Batch | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly writer: Database.Database,
    private readonly reader: Database.Database,
  ) {
    this.location = `${file} on ${hostname()}`;
    this.db = new Kysely({ dialect: new SqliteDialect({ database: new SqliteReader(reader, file) }) });
    this.#savepoint = writer.transaction((changes: readonly Change[]) => {
      for (const change of changes) this.#make(change);
    });
    this.#whole = writer.transaction((writes: readonly Write[]) => {
      for (const { changes } of writes) for (const change of changes) this.#make(change);
    });
    this.#eachAlone = writer.transaction((writes: readonly Write[]) => {
      for (const write of writes) this.#try(write);
    });
  }

  async write(changes: readonly Change[]): Promise<boolean> {
    const write: Write = { changes, kept: false };
    try {
      await this.#join(write);
      if (write.refusal !== undefined) throw write.refusal;
    } catch (error) {
      throw inWords(`cannot write the read store ${this.file}`, error);
    }
    return write.kept;
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

  #join(write: Write): Promise<void> {
    if (!this.#batch || this.#batch.size > MANY_CHANGES) this.#batch = this.#begin();
    this.#batch.writes.push(write);
    this.#batch.size += write.changes.length;
    return this.#batch.written;
  }

  /** Batches are written in their order. */
  #begin(): Batch {
    const writes: Write[] = [];
    const turn = this.#last.then(() => setImmediate());
    const written = turn.then(() => this.#writeBatch(writes));
    this.#last = written.catch(() => undefined);
    return { writes, size: 0, written };
  }

  async #writeBatch(writes: readonly Write[]): Promise<void> {
    if (this.#batch?.writes === writes) this.#batch = undefined;
    await withLock(() => {
      this.#assertOpen();
      this.#makeAll(writes);
    });
    this.arrivals.announce();
  }

  #makeAll(writes: readonly Write[]): void {
    try {
      this.#whole.immediate(writes);
      for (const write of writes) write.kept = true;
    } catch (error) {
      // Another process has the lock: all of it is for later.
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
      this.#eachAlone.immediate(writes);
    }
  }

  /** An error that made SQLite roll back the transaction fails every write in it. */
  #try(write: Write): void {
    write.kept = false;
    write.refusal = undefined;
    try {
      this.#savepoint(write.changes);
      write.kept = true;
    } catch (error) {
      if (!this.writer.inTransaction) throw error;
      if (!(error instanceof ConditionNotMet)) write.refusal = error;
    }
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

/** Maps SQLite's errors to Redial's classes; any other error is a bug and is thrown unchanged. */
function inWords(what: string, error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message: string };
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return new ChangeRefused(what, message, 'Look at the event that led to this row', { cause: error });
  }
  return code.startsWith('SQLITE') ? unavailable(what, error) : error;
}
