import { asReader, type Reading } from '#lib/event-store';
import { isRejection, jsonText, reject, type Rejection } from '#lib/kernel';

/** The requested part of a list. */
export interface PageRequest {
  /** 1 to 500; default 50. */
  readonly limit?: number;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The cursor of the next page; null on the last one. Opaque. */
  readonly nextCursor: string | null;
  /** The number of streams in the list that stand still: their items are missing or old. Absent if there are none. */
  readonly standsStill?: number;
}

interface ListSource<Row, Item> {
  /** The name of the list: a cursor of another list is refused. */
  readonly list: string;
  /** The first rows after this key, in the order of the list. Keys are unique and never change. @throws UnknownKey */
  read(after: string | undefined, limit: number): Promise<readonly Row[]>;
  keyOf(this: void, row: Row): string;
  /** One item for each row, in order, or undefined for a row without an item. Large content is read as items are taken. */
  toItems(rows: readonly Row[]): Items<Item | undefined>;
  /** The most rows of one read, if a row may be large; default: all of the page. */
  readonly rowsAtOnce?: number;
  /**
   * Whether the page reads on after these last rows, or leaves the rest to the next page. Default: the list has ended if there
   * are fewer rows than requested.
   */
  then?(this: void, rows: readonly Row[]): 'read on' | 'next page' | 'ended';
  /** The largest limit, if it is not 500. */
  readonly mostItems?: number;
}

/** Items, or a reader that gives them one after another. */
export type Items<Item> = Iterable<Item> | AsyncIterable<Item> | Promise<Iterable<Item>>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
/** In bytes of JSON text. */
export const MOST_PAGE_BYTES = 4 * 1024 * 1024;
const SMALL_PAGE_BYTES = 64 * 1024;

/**
 * One page of a list. Rows added or removed between two pages neither repeat nor hide others. It ends at `MOST_PAGE_BYTES`, with
 * at least one item.
 * @throws TooManyReaders
 */
export async function pageOf<Row, Item>(
  { limit = DEFAULT_LIMIT, cursor }: PageRequest,
  source: ListSource<Row, Item>,
): Promise<Page<Item> | Rejection> {
  const { mostItems = MAX_LIMIT } = source;
  if (!Number.isInteger(limit) || limit < 1 || limit > mostItems) return invalidLimit(limit, mostItems);
  const after = cursor === undefined ? undefined : readCursor(source.list, cursor);
  if (isRejection(after)) return after;
  try {
    return await asReader((reading) => fill(new OpenPage(source, limit, reading), after));
  } catch (error) {
    if (error instanceof UnknownKey) return invalidCursor();
    throw error;
  }
}

async function fill<Row, Item>(page: OpenPage<Row, Item>, start: string | undefined): Promise<Page<Item>> {
  const { source } = page;
  for (let after = start; ;) {
    const asked = Math.min(source.rowsAtOnce ?? Infinity, page.left + 1);
    const rows = await source.read(after, asked);
    const shown = rows.slice(0, page.left);
    const isFull = await page.add(shown);
    if (isFull || shown.length < rows.length) return page.closed(true);
    const then = source.then?.(rows) ?? (rows.length < asked ? 'ended' : 'read on');
    if (then !== 'read on') return page.closed(then === 'next page');
    after = source.keyOf(rows.at(-1) as Row);
  }
}

/** A page to which items are added. */
class OpenPage<Row, Item> {
  readonly #items: Item[] = [];
  #last: Row | undefined;
  #bytes = 0;

  constructor(
    readonly source: ListSource<Row, Item>,
    private readonly limit: number,
    private readonly reading: Reading,
  ) {}

  get left(): number {
    return this.limit - this.#items.length;
  }

  /** Adds the items of these rows that fit. @returns whether some do not fit */
  async add(rows: readonly Row[]): Promise<boolean> {
    if (rows.length === 0) return false;
    let index = 0;
    for await (const item of await this.source.toItems(rows)) {
      const bytes = item === undefined ? 0 : Buffer.byteLength(JSON.stringify(item));
      if (this.#items.length > 0 && this.#bytes + bytes > MOST_PAGE_BYTES) return true;
      if (item !== undefined) this.#items.push(item);
      this.#bytes += bytes;
      this.#last = rows[index++];
      if (this.#bytes >= MOST_PAGE_BYTES && index < rows.length) return true;
      // A page that is no longer small may become full.
      if (this.#bytes > SMALL_PAGE_BYTES) await this.reading.needs(MOST_PAGE_BYTES);
    }
    return false;
  }

  closed(hasMore: boolean): Page<Item> {
    this.reading.holds(this.#bytes);
    const { list, keyOf } = this.source;
    const isLast = !hasMore || this.#last === undefined;
    return { items: this.#items, nextCursor: isLast ? null : writeCursor(list, keyOf(this.#last as Row)) };
  }
}

/** One page of a list that is whole in memory and grows only at its end. */
export function pageOfList<Entry, Item = Entry>(
  request: PageRequest,
  list: string,
  entries: readonly Entry[],
  toItems: (entries: readonly Entry[]) => Items<Item | undefined>,
): Promise<Page<Item> | Rejection>;
export function pageOfList<Item>(
  request: PageRequest,
  list: string,
  items: readonly Item[],
): Promise<Page<Item> | Rejection>;
export function pageOfList<Entry>(
  request: PageRequest,
  list: string,
  entries: readonly Entry[],
  toItems: (entries: readonly Entry[]) => Items<unknown> = (found) => found,
): Promise<Page<unknown> | Rejection> {
  const places = [...entries.keys()];
  return pageOf(request, {
    list,
    read: async (after, limit) => {
      const from = after === undefined ? 0 : numberInKey(after) + 1;
      return places.slice(from, from + limit);
    },
    keyOf: String,
    toItems: (found) => toItems(found.map((place) => entries[place] as Entry)),
  });
}

/** A key in a cursor that its list does not have, such as one of an earlier version: `pageOf` refuses the cursor. */
class UnknownKey extends Error {}

/** @throws UnknownKey */
export function numberInKey(key: string): number {
  const number = Number(key);
  if (!/^\d+$/.test(key) || !Number.isSafeInteger(number)) throw new UnknownKey(key);
  return number;
}

/** The numbers in a key of several, joined by dots. @throws UnknownKey */
export function numbersInKey(key: string): readonly number[] {
  return key.split('.').map(numberInKey);
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

/** An opaque text for the place in a list after which the next page starts. */
export function writeCursor(list: string, key: string): string {
  return Buffer.from(jsonText([list, key])).toString('base64url');
}

/** The key in a cursor of this list, or a rejection. */
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
    why: 'it is not a cursor of this list',
    fix: 'Send nextCursor unchanged, or leave it out to start from the beginning',
  };
  const message = 'is not a cursor of this list';
  return reject('malformed', 'invalid-cursor', text, [{ path: '/cursor', message }]);
}

function invalidLimit(limit: number, most: number): Rejection {
  const text = {
    errorClass: 'InvalidLimit',
    what: `limit ${limit}`,
    why: `it is not a whole number from 1 to ${most}`,
    fix: 'Ask for such a number of items',
  };
  const message = `must be a whole number from 1 to ${most}`;
  return reject('malformed', 'invalid-limit', text, [{ path: '/limit', message }]);
}
