import { hostname } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { ChangeSignal, StoreUnavailable } from '#lib/event-store';
import { checkOpened, type OpenedFile, unavailable, withLock } from '#lib/event-store-sqlite';
import type Database from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { sqliteWords } from '../views/sql-words.js';
import type { ReadSchema } from './read-schema.js';
import { ChangeRefused, type ReadStore } from './read-store.js';
import { sqliteReads } from './sqlite-reads.js';
import type { Change, CompiledTemplate, Template } from './statement.js';

interface Prepared {
  readonly template: CompiledTemplate;
  readonly statement: Database.Statement;
}

/** The changes of one caller, and their result. */
interface Write {
  readonly changes: readonly Change[];
  kept: boolean;
  refusal?: unknown;
}

/** Writes that share a transaction. */
interface Batch {
  readonly writes: Write[];
  readonly written: Promise<void>;
}

class ConditionNotMet extends Error {}

/** The most time that a transaction holds the thread before other work of the process runs. */
const SLICE_MS = 5;

/** The slices of a transaction. */
class Slices {
  #end: number;

  /** @param lengthMs `Infinity`: the transaction is one slice */
  constructor(private readonly lengthMs: number) {
    this.#end = performance.now() + lengthMs;
  }

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + this.lengthMs;
  }
}

/**
 * The read store in one SQLite file. Writes requested in one turn of the event loop share a transaction (`BEGIN IMMEDIATE`). If
 * one fails, all are made again, each in a savepoint of its own: one failure does not affect the others. A long transaction on a
 * file yields to other work of the process; no other transaction begins before its end. Reads of a file have a connection of
 * their own.
 */
export class SqliteReadStore implements ReadStore {
  readonly location: string;
  readonly arrivals = new ChangeSignal();
  readonly sharesTransactions = true;
  readonly words = sqliteWords;
  readonly db: Kysely<ReadSchema>;
  readonly #prepared = new Map<Template, Prepared>();
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #savepoint: Database.Transaction<(changes: readonly Change[]) => void>;
  /** The open batch: it takes writes until its transaction begins. */
  #batch: Batch | undefined;
  #last: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  /** @param opened `undefined` for a store in memory, with one connection */
  constructor(
    private readonly opened: OpenedFile | undefined,
    private readonly writer: Database.Database,
    private readonly reader: Database.Database,
  ) {
    const file = this.#file;
    this.location = `${file} on ${hostname()}`;
    this.db = sqliteReads(reader, file);
    this.#begin = writer.prepare('BEGIN IMMEDIATE');
    this.#commit = writer.prepare('COMMIT');
    this.#rollback = writer.prepare('ROLLBACK');
    this.#savepoint = writer.transaction((changes: readonly Change[]) => {
      for (const change of changes) this.#make(change);
    });
  }

  get takesViews(): boolean {
    return this.opened !== undefined;
  }

  get #file(): string {
    return this.opened?.path ?? 'in memory';
  }

  async write(changes: readonly Change[]): Promise<boolean> {
    const write: Write = { changes, kept: false };
    try {
      await this.#join(write);
      if (write.refusal !== undefined) throw write.refusal;
    } catch (error) {
      throw inWords(`cannot write the read store ${this.#file}`, error);
    }
    return write.kept;
  }

  async scrub(): Promise<void> {
    const what = `cannot write the read store ${this.#file}`;
    await this.#last;
    const vacuum = () => {
      this.#assertOpen();
      // The temporary copy of all rows may not fit into memory.
      this.writer.pragma('temp_store=FILE');
      this.writer.exec('VACUUM');
      this.writer.pragma('temp_store=MEMORY');
    };
    // Retried alone while another process reads: `VACUUM` has rewritten the file already.
    const cutLog = () => {
      this.#assertOpen();
      const [{ busy } = { busy: 0 }] = this.writer.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
      if (busy !== 0) throw Object.assign(new Error('another process reads it'), { code: 'SQLITE_BUSY' });
    };
    try {
      await withLock(vacuum);
      await withLock(cutLog);
    } catch (error) {
      throw inWords(what, error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Completes a transaction that has begun; writes that wait for the next one fail. */
  async #close(): Promise<void> {
    this.arrivals.end();
    this.reader.close();
    await this.#last;
    // Last, because the connection that can write removes the -wal file.
    this.writer.close();
  }

  #assertOpen(): void {
    if (!this.arrivals.ended) return;
    throw new StoreUnavailable(`cannot write the read store ${this.#file}`, 'it is closed', 'Open it again');
  }

  #join(write: Write): Promise<void> {
    this.#batch ??= this.#nextBatch();
    this.#batch.writes.push(write);
    return this.#batch.written;
  }

  /** Batches are written in their order. */
  #nextBatch(): Batch {
    const writes: Write[] = [];
    const turn = this.#last.then(() => setImmediate());
    const written = turn.then(() => this.#writeBatch(writes));
    this.#last = written.catch(() => undefined);
    return { writes, written };
  }

  async #writeBatch(writes: readonly Write[]): Promise<void> {
    if (this.#batch?.writes === writes) this.#batch = undefined;
    await withLock(() => {
      this.#assertOpen();
      // Leases in a removed file would exist beside those in its successor.
      if (this.opened) checkOpened([this.opened]);
      return this.#makeAll(writes);
    });
    this.arrivals.announce();
  }

  async #makeAll(writes: readonly Write[]): Promise<void> {
    try {
      await this.#inTransaction(writes, (write, slices) => this.#makeEach(write, slices));
    } catch (error) {
      // Another process has the lock: the whole batch is retried later.
      if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error;
      await this.#inTransaction(writes, async (write, slices) => {
        this.#try(write);
        if (slices.isOver) await slices.next();
      });
    }
  }

  async #inTransaction(
    writes: readonly Write[],
    make: (write: Write, slices: Slices) => Promise<void>,
  ): Promise<void> {
    this.#begin.run();
    try {
      // In memory readers share the connection, and would see half of the transaction.
      const slices = new Slices(this.opened ? SLICE_MS : Infinity);
      for (const write of writes) await make(write, slices);
      this.#commit.run();
    } finally {
      if (this.writer.inTransaction) this.#rollback.run();
    }
  }

  async #makeEach(write: Write, slices: Slices): Promise<void> {
    for (const change of write.changes) {
      this.#make(change);
      if (slices.isOver) await slices.next();
    }
    write.kept = true;
  }

  /** An error after which SQLite rolled back the transaction fails every write in it. */
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
  const isOfFile = code.startsWith('SQLITE') || code === 'OTHER_FILE';
  return isOfFile ? unavailable(what, error, true) : error;
}
