import { UndecodableEvent } from '#lib/event-store';
import { type LogEvent, MOST_READ_BYTES } from '../runner/log-reader.js';

/** Splits events into pages of one transaction each. An event with blobs ends its page. */
export function* pagesOf(events: readonly LogEvent[]): Generator<readonly LogEvent[]> {
  let page: LogEvent[] = [];
  let size = 0;
  for (const event of events) {
    page.push(event);
    size += event.stored.data.length + event.stored.metadata.length;
    if (size < MOST_READ_BYTES && !isLarge(event)) continue;
    yield page;
    [page, size] = [[], 0];
  }
  if (page.length > 0) yield page;
}

/** An unreadable event counts as small: folding reports it. */
function isLarge(event: LogEvent): boolean {
  try {
    return event.hasBlobs();
  } catch (error) {
    if (error instanceof UndecodableEvent) return false;
    throw error;
  }
}
