import { type Change, statement } from './statement.js';
import type { RowOf, Table } from './table.js';

/** Adds a row; one with this key must not exist. */
export function insertRow<T extends Table>(table: T): (row: RowOf<T>) => Change {
  return statement<RowOf<T>>((db, values) =>
    db.withTables<AnyTables>().insertInto(table.name).values(valuesOf(table, values)),
  );
}

/** Adds a row; an existing row with this key is kept. */
export function insertRowOnce<T extends Table>(table: T): (row: RowOf<T>) => Change {
  return statement<RowOf<T>>((db, values) =>
    db
      .withTables<AnyTables>()
      .insertInto(table.name)
      .values(valuesOf(table, values))
      .onConflict((conflict) => conflict.doNothing()),
  );
}

type AnyTables = { [table: string]: { [column: string]: string | number | null } };

function valuesOf<T extends Table>(table: T, values: RowOf<T>) {
  return Object.fromEntries(Object.keys(table.columns).map((column) => [column, values[column] ?? null]));
}
