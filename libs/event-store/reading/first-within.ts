import type { ReadAllOptions, StoredEvent } from '../event-store.js';
import { storedSize } from './stored-size.js';

/** The first events of a page: at most `limit`, and none after the one at which their sum reaches `bytes`. Takes no further event from the iterable. */
export function firstWithin<Event extends Pick<StoredEvent, 'data' | 'metadata'>>(
  events: Iterable<Event>,
  { limit, bytes = Infinity }: Pick<ReadAllOptions, 'limit' | 'bytes'>,
): Event[] {
  const page: Event[] = [];
  let size = 0;
  if (limit <= 0) return page;
  for (const event of events) {
    page.push(event);
    size += storedSize(event);
    if (page.length >= limit || size >= bytes) break;
  }
  return page;
}
