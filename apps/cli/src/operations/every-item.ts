import { RejectionError } from '#lib/operations/core';
import { isRejection, type Rejection } from '#lib/kernel';
import type { Page, PageRequest } from '#lib/read-models';

const LARGEST_PAGE = 500;

/**
 * All items of a list that is given in pages.
 * @param most no more than this many: the first
 */
export async function everyItem<Item>(
  list: (page: PageRequest) => Promise<Page<Item> | Rejection>,
  most = Infinity,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> | Rejection = await list({
      limit: Math.min(LARGEST_PAGE, most - items.length),
      ...(cursor !== null && { cursor }),
    });
    if (isRejection(page)) throw new RejectionError(page);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && items.length < most);
  return items;
}
