import type { EventToStore } from '../event-store.js';

/** Equal to the letter, wherever the two stand. */
export function sameEvent(one: EventToStore, other: EventToStore): boolean {
  return (
    one.eventId === other.eventId &&
    one.type === other.type &&
    one.data === other.data &&
    one.metadata === other.metadata
  );
}
