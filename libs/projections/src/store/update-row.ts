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
  return statement<Pick<RowOf<T>, K | C>>((db, given) =>
    db
      .withTables<AnyTables>()
      .updateTable(table.name)
      .set(valuesOf(columns, given))
      .where((where) => where.and(valuesOf(key, given))),
  );
}

/** Removes the rows that have these values in the columns of `key`. */
export function deleteRow<T extends Table, K extends ColumnOf<T>>(
  table: T,
  key: readonly K[],
): (values: Pick<RowOf<T>, K>) => Change {
  return statement<Pick<RowOf<T>, K>>((db, given) =>
    db
      .withTables<AnyTables>()
      .deleteFrom(table.name)
      .where((where) => where.and(valuesOf(key, given))),
  );
}

function valuesOf(columns: readonly string[], given: Values): { [column: string]: SqlValue } {
  return Object.fromEntries(columns.map((column) => [column, given[column] ?? null]));
}
