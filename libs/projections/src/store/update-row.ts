import { type Change, type SqlValue, statement, type Values } from './statement.js';
import type { RowOf, Table } from './table.js';

type ColumnOf<T extends Table> = keyof RowOf<T> & string;
type AnyTables = { [table: string]: { [column: string]: SqlValue } };

/** Sets these columns of the rows that have these values in the columns of `key`. */
export function updateRow<T extends Table, K extends ColumnOf<T>, C extends ColumnOf<T>>(
  table: T,
  key: readonly K[],
  columns: readonly C[],
): (values: Pick<RowOf<T>, K | C>) => Change {
  return statement<Pick<RowOf<T>, K | C>>((db, values) =>
    db
      .withTables<AnyTables>()
      .updateTable(table.name)
      .set(valuesOf(columns, values))
      .where((where) => where.and(valuesOf(key, values))),
  );
}

/** Removes the rows that have these values in the columns of `key`. */
export function deleteRow<T extends Table, K extends ColumnOf<T>>(
  table: T,
  key: readonly K[],
): (values: Pick<RowOf<T>, K>) => Change {
  return statement<Pick<RowOf<T>, K>>((db, values) =>
    db
      .withTables<AnyTables>()
      .deleteFrom(table.name)
      .where((where) => where.and(valuesOf(key, values))),
  );
}

function valuesOf(columns: readonly string[], values: Values): { [column: string]: SqlValue } {
  return Object.fromEntries(columns.map((column) => [column, values[column] ?? null]));
}
