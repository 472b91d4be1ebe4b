import { RejectionError } from '#lib/operations/core';
import { isRejection, type Rejection } from '#lib/kernel';
import type { Page, PageRequest } from '#lib/read-models';
import { EndlessList } from '../error-classes.js';

const LARGEST_PAGE = 500;
/** Five million items. */
const MOST_PAGES = 10_000;

/** All items together, and how many streams were missing in the list by its last page. */
export async function wholeList<Item>(
  list: (page: PageRequest) => Promise<Page<Item>>,
  most?: number,
): Promise<Omit<Page<Item>, 'nextCursor'>> {
  let standsStill: number | undefined;
  const items = await everyItem(async (page) => {
    const found = await list(page);
    ({ standsStill } = found);
    return found;
  }, most);
  return { items, ...(standsStill !== undefined && { standsStill }) };
}

/**
 * All items of a list that is read in pages.
 * @param most the most items: the first of the list
 * @throws EndlessList if a server repeats a cursor, or gives too many
 */
export async function everyItem<Item>(
  list: (page: PageRequest) => Promise<Page<Item> | Rejection>,
  most = Infinity,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  const followed = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Page<Item> | Rejection = await list({
      limit: Math.min(LARGEST_PAGE, most - items.length),
      ...(cursor !== null && { cursor }),
    });
    if (isRejection(page)) throw new RejectionError(page);
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor !== null && (followed.has(cursor) || followed.size >= MOST_PAGES))
      throw endless(followed.size);
    if (cursor !== null) followed.add(cursor);
  } while (cursor !== null && items.length < most);
  return items;
}

function endless(pages: number): EndlessList {
  const why = `after ${pages + 1} pages the server named one more that cannot be the next`;
  return new EndlessList(
    'the list was not read',
    why,
    'Check the server and the proxies before it, or give --limit',
  );
}
