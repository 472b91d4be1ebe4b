import { setImmediate } from 'node:timers/promises';
import type { ChangeSignal } from './change-signal.js';
import type { EventStore, StoredEvent } from './event-store.js';
import type { Position } from './position.js';
import { HeldPage } from './reading/held-page.js';

const PAGE = 64;

/**
 * `subscribe` for a store that can read pages and announces new events. It pulls: it waits for a slow consumer, and holds only the current page, of
 * few bytes.
 */
export async function* followLog(
  store: Pick<EventStore, 'readAll'>,
  arrivals: ChangeSignal,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredEvent[]> {
  let from = after;
  let caughtUp = false;
  const held = new HeldPage(PAGE);
  while (!signal.aborted && !arrivals.ended) {
    const seen = arrivals.count;
    const { limit } = held;
    const found = await store.readAll({ limit, ...(from === undefined ? {} : { from }) });
    const page = held.of(found);
    const last = page.at(-1);
    if (last !== undefined) {
      from = last.position;
      yield page;
      // Lets the rest of the process run, even beside a consumer that never waits.
      await setImmediate();
    }
    // A page that is not full reaches the end of the log. Later events are announced.
    if (found.length === limit || page.length < found.length) continue;
    if (!caughtUp) {
      caughtUp = true;
      yield [];
    }
    await arrivals.after(seen, signal);
  }
}
