import type { SqlWords } from './sql-words.js';

/** How a value is written in JSON: `flag` is stored as 1 or 0, `json` as text. */
export type DatasetType = 'text' | 'number' | 'flag' | 'json';

export interface DatasetColumn {
  readonly type: DatasetType;
  readonly about: string;
}

/** Rows of one shape that analysts read, as a view and as an export. Streams of forks and experiments are left out. */
export interface Dataset<Column extends string = string> {
  /** Of the export; the view is `redial_<name>`. */
  readonly name: string;
  readonly about: string;
  readonly columns: { readonly [Name in Column]: DatasetColumn };
  /** The selects that give its rows, each row by one of them. */
  parts(words: SqlWords): readonly DatasetPart<Column>[];
}

/** One select. All members are SQL. */
export interface DatasetPart<Column extends string = string> {
  readonly values: { readonly [Name in Column]: string };
  readonly from: string;
  readonly where: string;
  /** Unique among its rows, and never changed: the order of an export. */
  readonly key: string;
  /** Epoch milliseconds: the time by which an export chooses. */
  readonly time: string;
  /** The name of the machine; absent if rows have none. */
  readonly machine?: string;
  /** Rows are sums over these values. An export has the sums of each UTC day of `time`. */
  readonly groupBy?: readonly NoInfer<Column>[];
}

/** A column of each type. @param about what its values are */
export const columnIs = {
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

/** The query of the view. */
export function viewQuery(of: Dataset, words: SqlWords): string {
  return of
    .parts(words)
    .map((part) => `${selectOf(of, part)}${groupingOf(part)}`)
    .join(' union all ');
}

/** Up to its conditions: more of them, and the grouping, come after it. */
export function selectOf({ columns }: Dataset, { values, from, where }: DatasetPart): string {
  const named = Object.keys(columns).map((name) => `${values[name]} as "${name}"`);
  return `select ${named.join(', ')} from ${from} where (${where})`;
}

export function groupingOf({ groupBy, values }: DatasetPart): string {
  return groupBy ? ` group by ${groupBy.map((name) => values[name]).join(', ')}` : '';
}
