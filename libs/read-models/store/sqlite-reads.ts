import { StoreUnavailable } from '#lib/event-store';
import { orUnavailable } from '#lib/event-store-sqlite';
import type Database from 'better-sqlite3';
import {
  Kysely,
  type LimitNode,
  type QueryCompiler,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import type { ReadSchema } from './read-schema.js';

/** The reads of a connection. Their errors name the file. */
export function sqliteReads(db: Database.Database, file: string): Kysely<ReadSchema> {
  return new Kysely({ dialect: new ReadsDialect({ database: new SqliteReader(db, file) }) });
}

/** The driver of Kysely's reads: it prepares each SQL text once, and its errors are of Redial's classes. */
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
    const statement = orUnavailable(what, () => this.db.prepare(sql), true);
    const prepared: SqliteStatement = {
      reader: statement.reader,
      all: (parameters) => orUnavailable(what, () => statement.all(parameters), true),
      run: (parameters) => orUnavailable(what, () => statement.run(parameters), true),
      iterate: (parameters) => orUnavailable(what, () => statement.iterate(parameters), true),
    };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  close(): void {
    this.db.close();
  }
}

/** Limits as expressions: SQLite plans a statement again at each binding of a bare `limit ?`, as its plan may depend on the value. */
class LimitsAsExpressions extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

class ReadsDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new LimitsAsExpressions();
  }
}
