import type { Event, RecordedEvent } from '#lib/kernel';
import type { NewEvent } from '../event-codec.js';

/** Events of one stream, as they are appended to another. */
export function toCopyAgain<E extends Event>(copies: readonly RecordedEvent<E>[]): readonly NewEvent<E>[] {
  return copies.map(({ eventId, type, data, metadata }) => {
    const { schemaVersion: _s, encoding: _e, ...about } = metadata;
    return { eventId, event: { type, data } as E, metadata: about };
  });
}
