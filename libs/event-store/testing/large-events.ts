import { randomUUID } from 'node:crypto';
import { EventCodec, type NewEvent } from '../event-codec.js';
import type { EventStore, StoredEvent } from '../event-store.js';

/** A catalogue for tests of large events. */
export const codec = new EventCodec([
  { Said: { version: 1 }, Renamed: { version: 2, upcasters: { 1: ({ old = null }) => ({ now: old }) } } },
]);

export const about = { occurredAt: 'now', correlationId: 'c', causationId: 'c', commandId: 'c', actor: 'a' };

/** A text of this many KiB of one ASCII letter. */
export function kib(count: number, letter = 'x'): string {
  return letter.repeat(count * 1024);
}

export function said(data: object, metadata: object = {}): NewEvent {
  return { eventId: randomUUID(), event: { type: 'Said', data }, metadata: { ...about, ...metadata } };
}

/** The first event of stream `s`. */
export async function firstStored(store: EventStore): Promise<StoredEvent> {
  const [event] = await store.readStream('s');
  if (event === undefined) throw new Error('Nothing was appended to s.');
  return event;
}

/** The stream of the first blob that an event refers to. */
export function blobStream(event: StoredEvent): string {
  return `redial_blob-${codec.blobsOf(event)[0]?.sha256 ?? ''}`;
}
