import { randomUUID } from 'node:crypto';
import type { EventStore, EventToStore, StoredEvent } from '../../event-store.js';
import { formatPosition, sequenceOf, type Position } from '../../position.js';

/** A new event with the given `data` text. */
export function anEvent(data = '{}'): EventToStore {
  return { eventId: randomUUID(), type: 'ThingHappened', data, metadata: '{"by":"contract"}' };
}

/** New events whose `data` is `{"n":0}`, `{"n":1}` and so on. */
export function someEvents(count: number): EventToStore[] {
  return Array.from({ length: count }, (_, n) => anEvent(`{"n":${n}}`));
}

export function idsOf(events: readonly EventToStore[]): string[] {
  return events.map((event) => event.eventId);
}

export function wholeLog(store: EventStore): Promise<readonly StoredEvent[]> {
  return store.readAll({ limit: 1_000_000 });
}

/** Follows the log until `enough`, which is asked after each batch, is true. Fails by the test's time limit. */
export async function follow(
  store: EventStore,
  after: Position | undefined,
  enough: (events: readonly StoredEvent[], batch: readonly StoredEvent[]) => boolean | Promise<boolean>,
): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  const stop = new AbortController();
  for await (const batch of store.subscribe(after, stop.signal)) {
    seen.push(...batch);
    if (await enough(seen, batch)) break;
  }
  stop.abort();
  return seen;
}

/** A position of this log beyond its last event. */
export function beyond(store: EventStore, position: Position): Position {
  return formatPosition(store.logId, sequenceOf(store.logId, position) + 1_000_000n);
}

/** All events up to the first empty batch. */
export function caughtUp(store: EventStore, after?: Position): Promise<StoredEvent[]> {
  return follow(store, after, (_, batch) => batch.length === 0);
}
