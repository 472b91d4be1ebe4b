import { StoreUnavailable } from '#lib/event-store';
import { orUnavailable } from '#lib/event-store-sqlite';
import type Database from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** The driver for Kysely's reads: statements are prepared once for each SQL text, and errors are of Redial's classes. */
export class SqliteReader implements SqliteDatabase {
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
