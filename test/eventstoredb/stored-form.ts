import type { EventToStore } from '#lib/event-store';
import { toStore } from '../support/eventstoredb-stand-in/proposed-event.js';

/** The event as the stand-in keeps it, for tests that write behind its back. */
export function storedForm({ eventId, type, data, metadata }: EventToStore): EventToStore {
  const contentType = 'application/json';
  return toStore({ eventId, type, contentType, data: Buffer.from(data), metadata: Buffer.from(metadata) }, 0);
}
