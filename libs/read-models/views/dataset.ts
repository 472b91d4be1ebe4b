import type { SqlWords } from './sql-words.js';

/** The type of a value in JSON: `id` is stored as bytes, `flag` as 1 or 0, `json` as text. */
type DatasetType = 'id' | 'text' | 'number' | 'flag' | 'json';

interface DatasetColumn {
  readonly type: DatasetType;
  readonly about: string;
}

/** Rows of one shape for analysts, as a view and as an export. Streams of forks and experiments are left out. */
export interface Dataset<Column extends string = string> {
  /** The name of the export; the view is `redial_<name>`. */
  readonly name: string;
  readonly about: string;
  readonly columns: { readonly [Name in Column]: DatasetColumn };
  /** The selects of its rows. Each row comes from one of them. */
  parts(words: SqlWords): readonly DatasetPart<Column>[];
}

/** One select. All members are SQL. */
export interface DatasetPart<Column extends string = string> {
  /** For an `id` its bytes. */
  readonly values: { readonly [Name in Column]: string };
  readonly from: string;
  readonly where: string;
  /** Unique among the rows, and unchanging: the order of an export. */
  readonly key: string;
  /** Epoch milliseconds: exports filter by this time. */
  readonly time: string;
  /** The name of the machine; absent if rows have none. */
  readonly machine?: string;
  /** Rows are sums over these values. An export has the sums of each UTC day of `time`. */
  readonly groupBy?: readonly NoInfer<Column>[];
}

/** A column of each type. @param about a description of its values */
export const columnIs = {
  id: (about: string): DatasetColumn => ({ type: 'id', about }),
  text: (about: string): DatasetColumn => ({ type: 'text', about }),
  number: (about: string): DatasetColumn => ({ type: 'number', about }),
  flag: (about: string): DatasetColumn => ({ type: 'flag', about }),
  json: (about: string): DatasetColumn => ({ type: 'json', about }),
} as const;

/** Declares a dataset: each part gives all columns. */
export function dataset<const Column extends string>(declared: Dataset<Column>): Dataset<Column> {
  return declared;
}

export function viewName({ name }: Dataset): string {
  return `redial_${name}`;
}

/** The column of a view with the bytes of an id; undefined for another column. */
export function keyOf(column: string, { type }: DatasetColumn): string | undefined {
  return type === 'id' ? column.replace(/_id$/, '_key') : undefined;
}

/** The query of the view: the columns, and after them the keys. */
export function viewQuery(of: Dataset, words: SqlWords): string {
  return of
    .parts(words)
    .map((part) => `${selectOf(of, part, words, keysOf(of, part))}${groupingOf(part)}`)
    .join(' union all ');
}

function keysOf({ columns }: Dataset, { values }: DatasetPart): readonly string[] {
  return Object.entries(columns).flatMap(([name, column]) => {
    const key = keyOf(name, column);
    return key === undefined ? [] : [`${values[name]} as "${key}"`];
  });
}

/** The query up to its conditions: callers add conditions and the grouping. */
export function selectOf(
  { columns }: Dataset,
  { values, from, where }: DatasetPart,
  words: SqlWords,
  more: readonly string[] = [],
): string {
  const named = Object.entries(columns).map(([name, { type }]) => {
    const value = values[name] ?? 'null';
    return `${type === 'id' ? words.id(value) : value} as "${name}"`;
  });
  return `select ${[...named, ...more].join(', ')} from ${from} where (${where})`;
}

export function groupingOf({ groupBy, values }: DatasetPart): string {
  return groupBy ? ` group by ${groupBy.map((name) => values[name]).join(', ')}` : '';
}
