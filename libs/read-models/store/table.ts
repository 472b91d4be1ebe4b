import {
  type Column,
  columnOf,
  type Columns,
  type Input,
  memberOf,
  type Output,
  type Row,
  type SqlValue,
  storedIn,
} from './columns.js';

/** A table of the read store, declared once: its columns for SQL, and the records of its rows. */
export interface Table<Name extends string = string, C extends Columns = Columns> {
  /** Ends in the version of the projection that fills it: `sessions_v2`. */
  readonly name: Name;
  readonly columns: C;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly (readonly string[])[];
}

/** A row of a table. */
export type RowOf<T extends Table> = Row<T['columns']>;
export type InputOf<T extends Table> = Input<T['columns']>;
/** The record of a row, as it is read. */
export type RecordOf<T extends Table> = Output<T['columns']>;
export type ColumnOf<T extends Table> = keyof T['columns'] & string;

/** Tables as Kysely sees them. */
export type SchemaOf<T extends Table> = { [Each in T as Each['name']]: RowOf<Each> };

/** Declares a table. Its name ends in a version, so that a changed table is another one. */
export function table<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
  primaryKey: readonly (keyof C & string)[],
  indexes: readonly (readonly (keyof C & string)[])[] = [],
): Table<Name, C> {
  return { name, columns, primaryKey, indexes };
}

interface Shown {
  readonly name: string;
  readonly member: string;
  readonly column: Column;
}

const shownColumns = new WeakMap<Columns, readonly Shown[]>();

/** The record of a row, or of the selected ones of its columns. Columns of other tables are left out. */
export function recordOf<C extends Columns, R extends { readonly [Name in keyof C]?: SqlValue }>(
  { columns }: Table<string, C>,
  row: R,
): Output<Pick<C, keyof R & keyof C>> {
  const stored: { readonly [column: string]: SqlValue | undefined } = row;
  const record: Record<string, unknown> = {};
  for (const { name, member, column } of shownOf(columns)) {
    const kept = stored[name];
    const value = kept === null || kept === undefined || !column.fromStored ? kept : column.fromStored(kept);
    if (value === null ? column.showsNull : value !== undefined) record[member] = value;
  }
  return record as Output<Pick<C, keyof R & keyof C>>;
}

function shownOf(columns: Columns): readonly Shown[] {
  const known = shownColumns.get(columns);
  if (known) return known;
  const shown = Object.entries(columns).map(([name, declared]) => ({
    name,
    member: memberOf(name),
    column: columnOf(declared),
  }));
  const result = shown.filter(({ column }) => !column.isHidden);
  shownColumns.set(columns, result);
  return result;
}

/** The stored values of a record's columns. An undefined member gives none. */
export function storedOf<C extends Columns>(
  { columns }: Table<string, C>,
  record: { readonly [Name in keyof Input<C>]?: Input<C>[Name] | undefined },
): Partial<Row<C>> {
  const given = record as { readonly [member: string]: unknown };
  const row: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(columns)) {
    const value = given[memberOf(name)];
    if (value !== undefined) row[name] = storedIn(columnOf(declared), value);
  }
  return row as Partial<Row<C>>;
}

/** These members of an object. */
export function pick<T extends object, const K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}
