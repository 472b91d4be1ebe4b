type ColumnType = 'text' | 'integer' | 'bigint' | 'double precision';

/** Column types that mean the same on every engine; `?` marks what may be null. */
export type Columns = { readonly [column: string]: ColumnType | `${ColumnType}?` };

type ValueOf<T> = T extends 'text' ? string : T extends 'text?' ? string | null : NumberOf<T>;
type NumberOf<T> = T extends `${string}?` ? number | null : number;

/** A table of the read store, said once: its columns as SQL creates them and as TypeScript sees them. */
export interface Table<Name extends string = string, C extends Columns = Columns> {
  /** With the version of the projection that fills it: `sessions_v2`. */
  readonly name: Name;
  readonly columns: C;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly (readonly string[])[];
}

/** A row of a table. */
export type RowOf<T extends Table> = { [Column in keyof T['columns']]: ValueOf<T['columns'][Column]> };

export function table<const Name extends string, const C extends Columns>(
  name: Name,
  columns: C,
  primaryKey: readonly (keyof C & string)[],
  indexes: readonly (readonly (keyof C & string)[])[] = [],
): Table<Name, C> {
  return { name, columns, primaryKey, indexes };
}
