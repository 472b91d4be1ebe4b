import { isRejection, type Rejection } from '#lib/kernel';
import type { Page } from '#lib/projections';
import { refuse } from '../write-side/refuse.js';

/** @throws RejectionError for a page that cannot be, after a cursor of another list */
export function pageOrThrow<Item>(page: Page<Item> | Rejection): Page<Item> {
  return isRejection(page) ? refuse(page) : page;
}
