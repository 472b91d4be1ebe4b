import type { Event } from '#lib/kernel';
import type { Change } from '../store/statement.js';
import type { LogEvent } from './log-event.js';
import type { Handler, Projection } from './projection.js';

const NOTHING: readonly Change[] = [];

type ByType = ReadonlyMap<string, Handler<Event>>;

/** By category: a handler for all of its events, or one for each type. */
const known = new WeakMap<Projection, ReadonlyMap<string, Handler<Event> | ByType>>();

/**
 * The changes of an event to a projection's rows; none for foreign streams and for types that the projection does not
 * handle, which are not even decoded.
 * @throws UndecodableEvent, and whatever the projection throws.
 */
export function changesOf(projection: Projection, event: LogEvent): readonly Change[] {
  const handler = handlerOf(projection, event);
  return handler && event.place ? handler(event.decoded(), event.place.id) : NOTHING;
}

/** The handler of a projection for an event; `undefined` when it has none. */
export function handlerOf(projection: Projection, { place, stored }: LogEvent): Handler<Event> | undefined {
  const handlers = place && handlersOf(projection).get(place.category);
  return typeof handlers === 'function' ? handlers : handlers?.get(stored.type);
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
