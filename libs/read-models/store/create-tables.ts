import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { columnOf } from './columns.js';
import type { ReadSchema } from './read-schema.js';
import { type Change, statement } from './statement.js';
import type { Table } from './table.js';

/** Makes missing tables and their indexes. */
export function createTables(tables: readonly Table[]): readonly Change[] {
  return tables.flatMap((table) => [
    { ...statement({}, (db) => tableBuilder(db, table))({}), creates: table.name },
    ...table.indexes.map((columns) => createIndex(table, columns)),
  ]);
}

/** Without other indexes, SQLite stores rows in the index of their primary key: once, not twice. PostgreSQL leaves the modifier out. */
function tableBuilder(db: Kysely<ReadSchema>, { name, columns, primaryKey, indexes }: Table) {
  const empty: CreateTableBuilder<string, string> = db.schema.createTable(name).ifNotExists();
  const whole = Object.entries(columns)
    .reduce((builder, [column, declared]) => {
      const { type, isNullable } = columnOf(declared);
      return builder.addColumn(column, type, (it) => (isNullable ? it : it.notNull()));
    }, empty)
    .addPrimaryKeyConstraint(`${name}_pk`, [...primaryKey]);
  return indexes.length === 0 ? whole.modifyEnd(sql`without rowid`) : whole;
}

/** An index that begins with a nullable column leaves out rows without a value: queries search for values. */
function createIndex({ name, columns: declared }: Table, columns: readonly string[]): Change {
  const index = [name, 'by', ...columns].join('_');
  const [first = ''] = columns;
  const create = statement({}, (db) => {
    const whole = db.schema
      .createIndex(index)
      .ifNotExists()
      .on(name)
      .columns([...columns]);
    return columnOf(declared[first] ?? 'text').isNullable ? whole.where(first, 'is not', null) : whole;
  });
  return { ...create({}), creates: index };
}
