import { randomUUID } from 'node:crypto';
import type { EventStore, EventToStore, StoredEvent } from '#lib/event-store';
import { toStore } from '../support/eventstoredb-stand-in/proposed-event.js';

export function anEvent(data = '{}'): EventToStore {
  return { eventId: randomUUID(), type: 'ThingHappened', data, metadata: '{"by":"test"}' };
}

export function someEvents(count: number): EventToStore[] {
  return Array.from({ length: count }, (_, n) => anEvent(`{"n":${n}}`));
}

/** The event as the stand-in keeps it, for tests that write behind its back. */
export function storedForm({ eventId, type, data, metadata }: EventToStore): EventToStore {
  const contentType = 'application/json';
  return toStore({ eventId, type, contentType, data: Buffer.from(data), metadata: Buffer.from(metadata) }, 0);
}

/** Follows the log until it has seen so many events. Fails by the test's time limit. */
export async function follow(store: EventStore, count: number): Promise<readonly StoredEvent[]> {
  const seen: StoredEvent[] = [];
  const stop = new AbortController();
  for await (const batch of store.subscribe(undefined, stop.signal)) {
    seen.push(...batch);
    if (seen.length >= count) break;
  }
  stop.abort();
  return seen;
}
