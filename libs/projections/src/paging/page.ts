import { isRejection, reject, type Rejection } from '#lib/kernel';
import { invalidCursor, readCursor, writeCursor } from './cursor.js';
import { UnknownKey } from './key-in-list.js';

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
