import { setImmediate } from 'node:timers/promises';
import type { ChangeSignal } from './change-signal.js';
import type { EventStore, StoredEvent } from './event-store.js';
import type { Position } from './position.js';
import { HeldPage } from './reading/held-page.js';

const PAGE = 64;

/**
 * `subscribe` for a store that can read pages and knows when something arrived. Pulls: a slow consumer makes it wait,
 * and nothing is kept for it but the page at hand, of few bytes.
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
      // A consumer that never waits must not keep the rest of the process from running.
      await setImmediate();
    }
    // A page that is not full ends at the end of the log: what comes after it is announced.
    if (found.length === limit || page.length < found.length) continue;
    if (!caughtUp) {
      caughtUp = true;
      yield [];
    }
    await arrivals.after(seen, signal);
  }
}
