import { type SelectQueryBuilder, sql } from 'kysely';
import { isRejection, jsonText, reject, type Rejection } from '#lib/kernel';
import { allOf, isAmongFew, type RowFilter, rowsThatFit, splitFilter } from './rows-that-fit.js';

/** Which part of a list is asked for. */
export interface PageRequest {
  /** 1 to 500; default 50. */
  readonly limit?: number;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Gives the next page; null when this is the last one. Opaque. */
  readonly nextCursor: string | null;
}

interface ListSource<Row, Item> {
  /** Names the list, so that a cursor of another one is refused. */
  readonly list: string;
  /** The first rows after this key, in the order of the list. Keys are unique and never change. @throws UnknownKey */
  read(after: string | undefined, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): string;
  toItems(rows: readonly Row[]): readonly Item[] | Promise<readonly Item[]>;
}

/** Rows in the order of a column whose values are unique and never change. */
interface OrderedRows<DB, TB extends keyof DB, Row, Item> extends Pick<
  ListSource<Row, Item>,
  'list' | 'toItems'
> {
  /** An index leads to each of them. */
  readonly rows: SelectQueryBuilder<DB, TB, Row>;
  /** Leaves rows out. */
  readonly filter?: RowFilter<Row>;
  /** A selected column; with the name of its table if others have one of this name. */
  readonly by: string;
  /** The value of that column in a cursor; absent for text. @throws UnknownKey */
  readonly readKey?: (key: string) => number;
  readonly order?: 'asc' | 'desc';
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** One page of a list: rows that come or go between two pages neither repeat nor hide others. */
export async function pageOf<Row, Item>(
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  source: ListSource<Row, Item>,
): Promise<Page<Item> | Rejection> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) return invalidLimit(limit);
  const after = cursor === undefined ? undefined : readCursor(source.list, cursor);
  if (isRejection(after)) return after;
  const rows = await rowsAfter(source, after, limit + 1);
  if (isRejection(rows)) return rows;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: await source.toItems(shown),
    nextCursor: more ? writeCursor(source.list, source.keyOf(last)) : null,
  };
}

/** One page of the rows of a query. */
export function pageOfRows<DB, TB extends keyof DB, Row, Item>(
  request: PageRequest,
  { list, rows, filter, by, readKey, order = 'asc', toItems }: OrderedRows<DB, TB, Row, Item>,
): Promise<Page<Item> | Rejection> {
  const key = sql.ref<string | number>(by);
  const name = by.slice(by.indexOf('.') + 1) as keyof Row & string;
  const refer = (column: string) => sql.ref(by.replace(name, column));
  const { first, others } = splitFilter(filter, refer);
  const among = first ? rows.where(refer(first.column), '=', first.value) : rows;
  const rest = (after: string | number | undefined) =>
    (after === undefined ? among : among.where(key, order === 'asc' ? '>' : '<', after)).orderBy(key, order);
  return pageOf(request, {
    list,
    read: async (after, limit) => {
      const from = after === undefined || !readKey ? after : readKey(after);
      if (!filter || others.length === 0) return rest(from).limit(limit).execute();
      const isOneOfFew = await isAmongFew(rows, key, filter.span);
      if (isOneOfFew)
        return rest(from)
          .where(allOf([isOneOfFew, ...others]))
          .limit(limit)
          .execute();
      return rowsThatFit({ db: filter.db, rows, rest, name, key, order, conditions: others }, from, limit);
    },
    keyOf: (row) => String(row[name]),
    toItems,
  });
}

/** One page of a list that is whole in memory, and grows at its end alone. */
export function pageOfList<Item>(
  request: PageRequest,
  list: string,
  items: readonly Item[],
): Promise<Page<Item> | Rejection> {
  const places = [...items.keys()];
  return pageOf(request, {
    list,
    read: async (after, limit) => {
      const from = after === undefined ? 0 : numberInKey(after) + 1;
      return places.slice(from, from + limit);
    },
    keyOf: String,
    toItems: (found) => found.map((place) => items[place] as Item),
  });
}

/** A key in a cursor that its list does not have, such as one that an earlier version wrote: `pageOf` refuses the cursor. */
class UnknownKey extends Error {}

/** @throws UnknownKey */
export function numberInKey(key: string): number {
  const number = Number(key);
  if (!/^\d+$/.test(key) || !Number.isSafeInteger(number)) throw new UnknownKey(key);
  return number;
}

/**
 * The index after a key in all keys of a list, 0 without one.
 * @throws UnknownKey
 */
export function placeAfterKey(keys: readonly string[], key: string | undefined): number {
  if (key === undefined) return 0;
  const at = keys.indexOf(key);
  if (at < 0) throw new UnknownKey(key);
  return at + 1;
}

async function rowsAfter<Row, Item>(
  source: ListSource<Row, Item>,
  after: string | undefined,
  limit: number,
): Promise<readonly Row[] | Rejection> {
  try {
    return await source.read(after, limit);
  } catch (error) {
    if (error instanceof UnknownKey) return invalidCursor();
    throw error;
  }
}

/** An opaque text that names the position in a list after which the next page starts. */
export function writeCursor(list: string, key: string): string {
  return Buffer.from(jsonText([list, key])).toString('base64url');
}

/** The key in a cursor of this list, or a refusal. */
function readCursor(list: string, cursor: string): string | Rejection {
  const [of, key] = parsed(cursor);
  return of === list && typeof key === 'string' ? key : invalidCursor();
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function invalidCursor(): Rejection {
  const text = {
    what: 'the cursor',
    why: 'this list did not give it',
    fix: 'Send back nextCursor exactly as it came, or leave it out to start from the beginning',
  };
  const message = 'is not a cursor that this list gave';
  return reject('malformed', 'invalid-cursor', text, [{ path: '/cursor', message }]);
}

function invalidLimit(limit: number): Rejection {
  const text = {
    errorClass: 'InvalidLimit',
    what: `limit ${limit}`,
    why: `it is not a whole number from 1 to ${MAX_LIMIT}`,
    fix: 'Ask for such a number of items',
  };
  const message = `must be a whole number from 1 to ${MAX_LIMIT}`;
  return reject('malformed', 'invalid-limit', text, [{ path: '/limit', message }]);
}
