import type { Event } from '#lib/kernel';
import type { Change } from '../store/statement.js';
import type { LogEvent } from './log-event.js';
import type { Handler, Projection } from './projection.js';

const NOTHING: readonly Change[] = [];

type ByType = ReadonlyMap<string, Handler<Event>>;

/** By category: a handler for all of its events, or one for each type. */
const known = new WeakMap<Projection, ReadonlyMap<string, Handler<Event> | ByType>>();

/**
 * What an event changes in a projection's rows; nothing for streams of somebody else and for types the projection does not
 * handle, which are not even decoded.
 * @throws UndecodableEvent, and whatever the projection throws.
 */
export function changesOf(projection: Projection, event: LogEvent): readonly Change[] {
  if (!event.place) return NOTHING;
  const { category, id } = event.place;
  const handlers = handlersOf(projection).get(category);
  const handler = typeof handlers === 'function' ? handlers : handlers?.get(event.stored.type);
  return handler ? handler(event.decoded(), id) : NOTHING;
}

function handlersOf(projection: Projection): ReadonlyMap<string, Handler<Event> | ByType> {
  const found = known.get(projection);
  if (found) return found;
  const handlers = new Map(
    Object.entries(projection.on).map(([category, handler]) => [
      category,
      typeof handler === 'function' ? handler : byType(handler),
    ]),
  );
  known.set(projection, handlers);
  return handlers;
}

function byType(handlers: { readonly [type: string]: Handler<Event> | undefined }): ByType {
  return new Map(Object.entries(handlers).flatMap(([type, handler]) => (handler ? [[type, handler]] : [])));
}
