import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { currentReading } from '#lib/event-store';
import type { Rejection } from '#lib/kernel';
import { columnOf } from './columns.js';
import { type Items, MOST_PAGE_BYTES, numberInKey, type Page, pageOf, type PageRequest } from './page.js';
import { allOf, isAmongFew, type RowFilter, rowsThatFit, splitFilter } from './rows-that-fit.js';
import type { Table } from './table.js';

/** Rows in the order of a column with unique, unchanging values. */
interface OrderedRows<DB, TB extends keyof DB, Row, Item> {
  /** The name of the list: a cursor of another list is refused. */
  readonly list: string;
  /** A query of which each row is found by an index. */
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
  /** The table of `by`. The sizes of its rows are read before the rows. */
  readonly table: Table;
  /** The bytes of other tables that `toItems` reads for a row (`bytesIn`), if these may be many. */
  readonly besides?: RawBuilder<number>;
  /** Leaves out rows. */
  readonly filter?: RowFilter<Row>;
  /** A selected column, with the name of its table if others have a column of this name. */
  readonly by: string;
  /** The column of another table that gives the rows, with the same values in the same order; default: `by`. */
  readonly key?: string;
  readonly order?: 'asc' | 'desc';
  /** An index finds the rows by their conditions: they are sorted, and the index of the order is not walked. `by` is a text. */
  readonly areFew?: boolean;
  /** One item for each row, in order, or undefined for a row without an item. */
  toItems(this: void, rows: readonly Row[]): Items<Item | undefined>;
}

/** The key and the size of a row before it is read. */
interface SizedKey {
  readonly key: string | number;
  readonly bytes: number;
}

/** One page of the rows of a query. */
export function pageOfRows<DB, TB extends keyof DB, Row, Item>(
  request: PageRequest,
  list: OrderedRows<DB, TB, Row, Item>,
): Promise<Page<Item> | Rejection> {
  return pageOf<SizedKey, Item>(request, {
    list: list.list,
    read: keysAfter(list),
    keyOf: ({ key }) => String(key),
    toItems: (keys) => itemsOf(list, keys),
  });
}

/** The bytes of another table's rows that meet a condition. */
export function bytesIn(table: Table, condition: RawBuilder<unknown>): RawBuilder<number> {
  const bytes = bytesOf(table, (column) => sql.ref(`${table.name}.${column}`));
  return sql<number>`(select coalesce(sum(${bytes}), 0) from ${sql.table(table.name)} where ${condition})`;
}

/** Engines know the length of a text without reading it. Other values are short. */
function bytesOf({ columns }: Table, refer: (column: string) => RawBuilder<unknown>): RawBuilder<number> {
  const texts = Object.entries(columns).filter(([, column]) => columnOf(column).type === 'text');
  const lengths = texts.map(([name]) => sql`coalesce(octet_length(${refer(name)}), 0)`);
  return sql<number>`${sql.join([sql.lit(ROW_BYTES), ...lengths], sql` + `)}`;
}

const ROW_BYTES = 100;

function keysAfter<DB, TB extends keyof DB, Row>(list: OrderedRows<DB, TB, Row, unknown>) {
  const { rows, table, besides = sql<number>`0`, filter, order = 'asc' } = list;
  const { name, refer, ...column } = columnsOf(list);
  const isText = columnOf(table.columns[name] ?? 'text').type === 'text';
  const key = list.areFew ? withoutIndex<string>(column.by) : column.key;
  const { first, others } = splitFilter(filter, refer);
  const bytes = sql<number>`${bytesOf(table, refer)} + ${besides}`;
  const keys = rows
    .clearSelect()
    .select([key.as('key'), bytes.as('bytes')])
    .$castTo<SizedKey>();
  const among = first ? keys.where(sql<boolean>`${refer(first.column)} = ${first.value}`) : keys;
  const rest = (after: string | number | undefined) =>
    (after === undefined ? among : among.where(key, order === 'asc' ? '>' : '<', after)).orderBy(key, order);
  return async (after: string | undefined, limit: number): Promise<readonly SizedKey[]> => {
    const from = after === undefined || isText ? after : numberInKey(after);
    if (!filter || others.length === 0) return rest(from).limit(limit).execute();
    const isOneOfFew = await isAmongFew(rows, key, filter.span);
    if (isOneOfFew)
      return rest(from)
        .where(allOf([isOneOfFew, ...others]))
        .limit(limit)
        .execute();
    const search = { db: filter.db, rows: keys, rest, key, name: 'key', order, conditions: others } as const;
    return rowsThatFit(search, from, limit);
  };
}

/** Reads rows of about a page's bytes at once. A row that was removed since its key was read has no item. */
async function* itemsOf<DB, TB extends keyof DB, Row, Item>(
  list: OrderedRows<DB, TB, Row, Item>,
  keys: readonly SizedKey[],
): AsyncGenerator<Item | undefined> {
  const { rows, order = 'asc', toItems } = list;
  const { key, name } = columnsOf(list);
  for (let from = 0; from < keys.length;) {
    const step = fitting(keys.slice(from));
    await currentReading()?.needs(step.reduce((sum, { bytes }) => sum + bytes, 0));
    const wanted = sql.join(step.map((one) => one.key));
    const found = await rows
      .where(sql<boolean>`${key} in (${wanted})`)
      .orderBy(key, order)
      .execute();
    const isThere = new Set(found.map((row) => String(row[name as keyof Row])));
    const waiting = step.map((one) => isThere.has(String(one.key)));
    for await (const item of await toItems(found)) {
      while (waiting.shift() === false) yield undefined;
      yield item;
    }
    for (const _ of waiting) yield undefined;
    from += step.length;
  }
}

function fitting(keys: readonly SizedKey[]): readonly SizedKey[] {
  let bytes = 0;
  const end = keys.findIndex((one, index) => (bytes += one.bytes) > MOST_PAGE_BYTES && index > 0);
  return end < 0 ? keys : keys.slice(0, end);
}

/** A text column as an expression, for which no index is used. */
export function withoutIndex<Value extends string>(column: string): RawBuilder<Value> {
  return sql<Value>`(${sql.ref(column)} || '')`;
}

function columnsOf({ by, key = by }: { readonly by: string; readonly key?: string }) {
  const name = by.slice(by.indexOf('.') + 1);
  const refer = (column: string) => sql.ref<string | number>(by.replace(name, column));
  return { name, by: key, key: sql.ref<string | number>(key), refer };
}
