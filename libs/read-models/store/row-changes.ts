import { type Kysely, type OnConflictBuilder, type RawBuilder, sql } from 'kysely';
import type { Columns, Input, Row, SqlValue } from './columns.js';
import type { ReadSchema } from './read-schema.js';
import { type Change, statement, statementOfRows } from './statement.js';
import { type ColumnOf, type InputOf, pick, type Table } from './table.js';

type AnyTables = { [table: string]: { [column: string]: SqlValue } };

/** Adds a row; its key must be new. */
export function insertRow<T extends Table>(table: T): (record: InputOf<T>) => Change {
  return statement<T['columns']>(table.columns, (db, row) => insert(db, table, row));
}

/** Adds a row; an existing row with its key stays. */
export function insertRowOnce<T extends Table>(table: T): (record: InputOf<T>) => Change {
  return statement<T['columns']>(table.columns, (db, row) => insert(db, table, row, true));
}

/** The most rows that one statement adds. */
const MOST_ROWS = 64;

/** Adds rows as `insertRow` and `insertRowOnce` do, several with one statement: a power of two, so that there are few statements. */
export function insertRows<T extends Table>(
  table: T,
  once: boolean,
): (records: readonly InputOf<T>[]) => readonly Change[] {
  const bySize = new Map<number, (records: readonly InputOf<T>[]) => Change>();
  const ofSize = (count: number) =>
    statementOfRows<T['columns']>(table.columns, count, (db, rows) => insert(db, table, rows, once));
  return (records) => {
    const changes: Change[] = [];
    for (let from = 0, count = MOST_ROWS; from < records.length;) {
      while (count > records.length - from) count /= 2;
      const add = bySize.get(count) ?? ofSize(count);
      bySize.set(count, add);
      changes.push(add(records.slice(from, from + count)));
      from += count;
    }
    return changes;
  };
}

/** The rule for a row whose key exists: columns that are not named stay. */
interface Merge<T extends Table> {
  readonly add?: readonly ColumnOf<T>[];
  readonly highest?: readonly ColumnOf<T>[];
  readonly replace?: readonly ColumnOf<T>[];
}

/** Adds a row, or merges it into the one with its key. */
export function mergeRow<T extends Table>(table: T, merge: Merge<T>): (record: InputOf<T>) => Change {
  return statement<T['columns']>(table.columns, (db, row) =>
    insert(db, table, row).onConflict((conflict) => merged(conflict, table, merge)),
  );
}

/** Sets these columns of the rows that have these values in the columns of `key`. */
export function updateRow<All extends Columns, const K extends keyof All, const C extends keyof All>(
  table: Table<string, All>,
  key: readonly K[],
  columns: readonly C[],
): (record: Input<Pick<All, K | C>>) => Change {
  return statement<Pick<All, K | C>>(pick(table.columns, [...key, ...columns]), (db, row) =>
    db
      .withTables<AnyTables>()
      .updateTable(table.name)
      .set(pick<Row<Pick<All, K | C>>, K | C>(row, columns))
      .where((where) => where.and(pick<Row<Pick<All, K | C>>, K | C>(row, key))),
  );
}

/** Removes the rows that have these values in the columns of `key`. */
export function deleteRow<All extends Columns, const K extends keyof All>(
  table: Table<string, All>,
  key: readonly K[],
): (record: Input<Pick<All, K>>) => Change {
  return statement<Pick<All, K>>(pick(table.columns, key), (db, row) =>
    db
      .withTables<AnyTables>()
      .deleteFrom(table.name)
      .where((where) => where.and(row)),
  );
}

/** @param once existing rows with these keys stay */
function insert(db: Kysely<ReadSchema>, { name }: Table, rows: object | readonly object[], once = false) {
  const all = db.withTables<AnyTables>().insertInto(name).values(rows);
  return once ? all.onConflict((conflict) => conflict.doNothing()) : all;
}

function merged<T extends Table>(
  conflict: OnConflictBuilder<AnyTables, string>,
  { name, primaryKey }: T,
  { add = [], highest = [], replace = [] }: Merge<T>,
) {
  const old = (column: string) => sql.ref<SqlValue>(`${name}.${column}`);
  const added = (column: string) => sql.ref<SqlValue>(`excluded.${column}`);
  const by = (columns: readonly string[], value: (column: string) => RawBuilder<SqlValue>) =>
    columns.map((column) => [column, value(column)] as const);
  return conflict
    .columns([...primaryKey])
    .doUpdateSet(
      Object.fromEntries([
        ...by(add, (column) => sql<SqlValue>`${old(column)} + ${added(column)}`),
        ...by(
          highest,
          (column) =>
            sql<SqlValue>`case when ${added(column)} > ${old(column)} then ${added(column)} else ${old(column)} end`,
        ),
        ...by(replace, added),
      ]),
    );
}
