import { type Event, ownMember } from '#lib/kernel';
import { isRunCategory } from '#lib/workflow';
import type { Change } from '../store/statement.js';
import type { LogEvent } from './log-event.js';
import type { Handler, Projection } from './projection.js';

const NOTHING: readonly Change[] = [];

type ByType = ReadonlyMap<string, Handler<Event>>;

/** A handler for all events of a category, or one for each type. */
type ByCategory = Map<string, Handler<Event> | ByType | undefined>;

const known = new WeakMap<Projection, ByCategory>();

/**
 * The changes of an event to a projection's rows; none for foreign streams and for types that the projection does not
 * handle, which are not even decoded.
 * @throws UndecodableEvent, and the errors of the projection.
 */
export function changesOf(projection: Projection, event: LogEvent): readonly Change[] {
  const handler = handlerOf(projection, event);
  return handler && event.streamName ? handler(event.decoded(), event.streamName.id) : NOTHING;
}

/** The handler of a projection for an event; `undefined` when it has none. */
export function handlerOf(
  projection: Projection,
  { streamName, stored }: LogEvent,
): Handler<Event> | undefined {
  const handlers = streamName && handlersIn(projection, streamName.category);
  return typeof handlers === 'function' ? handlers : handlers?.get(stored.type);
}

function handlersIn(projection: Projection, category: string): Handler<Event> | ByType | undefined {
  const handlers: ByCategory = known.get(projection) ?? new Map();
  known.set(projection, handlers);
  if (!handlers.has(category)) handlers.set(category, declaredIn(projection, category));
  return handlers.get(category);
}

function declaredIn({ on, onRuns }: Projection, category: string): Handler<Event> | ByType | undefined {
  const declared = ownMember(on, category) ?? (isRunCategory(category) ? onRuns?.(category) : undefined);
  return declared && typeof declared !== 'function' ? byType(declared) : declared;
}

function byType(handlers: { readonly [type: string]: Handler<Event> | undefined }): ByType {
  return new Map(Object.entries(handlers).flatMap(([type, handler]) => (handler ? [[type, handler]] : [])));
}
