import type { StoredEvent } from '#lib/event-store';
import { type Event, ownMember } from '#lib/kernel';
import type { Change } from '../store/statement.js';
import type { LogReader } from './log-reader.js';
import type { Handler, Projection } from './projection.js';

const NOTHING: readonly Change[] = [];

/**
 * What an event changes in a projection's rows; nothing for streams of somebody else and for types the projection does not
 * handle, which are not even decoded.
 * @throws UndecodableEvent, and whatever the projection throws.
 */
export function changesOf(
  projection: Projection,
  stored: StoredEvent,
  reader: LogReader,
): readonly Change[] {
  const place = reader.log.streams.parse(stored.stream);
  if (!place) return NOTHING;
  const handler = handlerOf(projection, place.category, stored.type);
  return handler ? handler(reader.decode(stored), place.id) : NOTHING;
}

function handlerOf({ on }: Projection, category: string, type: string): Handler<Event> | undefined {
  const handlers = ownMember(on, category);
  return typeof handlers === 'function' ? handlers : ownMember(handlers, type);
}
