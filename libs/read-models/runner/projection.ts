import type { StreamCategory } from '#lib/event-store';
import { type Event, ownMember, type RecordedEvent } from '#lib/kernel';
import { isRunCategory } from '#lib/workflow';
import type { Change } from '../store/statement.js';
import type { Table } from '../store/table.js';
import type { LogEvent } from './log-reader.js';

/**
 * The changes of an event to the rows; `id` is the part after the category in its stream's name. Pure: it sees the event and
 * nothing else, so rows depend on the log alone. It throws if the event cannot be.
 */
export type Handler<E extends Event> = {
  bivarianceHack(event: RecordedEvent<E>, id: string): readonly Change[];
}['bivarianceHack'];

/** The handlers for the events of a category, by type. Types without a handler change nothing. */
export type Handlers<E extends Event> = {
  readonly [Type in E['type']]?: Handler<Extract<E, { type: Type }>>;
};

/** A fold of the log into tables of its own. */
export interface Projection<Name extends string = string> {
  readonly name: Name;
  /** From 1. A new version has new tables, filled beside the old ones; the names of tables end in it. */
  readonly version: number;
  readonly tables: readonly Table[];
  /** The types that it reads of each category, or every event. */
  readonly on: { readonly [Category in StreamCategory]?: Handler<Event> | Handlers<Event> };
  /** The same for runs that `on` does not name: of every workflow, so that rows do not depend on those that a process has. */
  readonly onRuns?: (workflow: string) => Handler<Event> | Handlers<Event>;
}

/** The types of events that can change a projection's rows; `undefined` if it takes every event of some category. */
export function typesTaken({ on, onRuns }: Pick<Projection, 'on' | 'onRuns'>): readonly string[] | undefined {
  const handlers = [...Object.values(on), ...(onRuns ? [onRuns('')] : [])];
  if (handlers.some((handler) => typeof handler === 'function')) return undefined;
  return handlers.flatMap((byType) =>
    Object.entries(byType).flatMap(([type, handler]) => (handler ? [type] : [])),
  );
}

const NOTHING: readonly Change[] = [];

type ByType = ReadonlyMap<string, Handler<Event>>;

/** A handler for all events of a category, or one for each type. */
type ByCategory = Map<string, Handler<Event> | ByType | undefined>;

const known = new WeakMap<Projection, ByCategory>();

/**
 * The changes of an event to a projection's rows; none for foreign streams and for types that the projection does not
 * handle, which are not even decoded. A type that this build does not have is one of a newer build, whose rows it may change,
 * but for runs: workflows that a process does not have may declare types of their own.
 * @throws UndecodableEvent, UnknownEvent, and the errors of the projection.
 */
export function changesOf(projection: Projection, event: LogEvent): readonly Change[] {
  const handler = handlerOf(projection, event);
  if (handler && event.streamName) return handler(event.decoded(), event.streamName.id);
  if (event.streamName && ownMember(projection.on, event.streamName.category)) event.checkType();
  return NOTHING;
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
  let handlers = known.get(projection);
  if (!handlers) known.set(projection, (handlers = new Map()));
  const declared = handlers.get(category);
  if (declared || handlers.has(category)) return declared;
  handlers.set(category, declaredIn(projection, category));
  return handlers.get(category);
}

function declaredIn({ on, onRuns }: Projection, category: string): Handler<Event> | ByType | undefined {
  const declared = ownMember(on, category) ?? (isRunCategory(category) ? onRuns?.(category) : undefined);
  return declared && typeof declared !== 'function' ? byType(declared) : declared;
}

function byType(handlers: { readonly [type: string]: Handler<Event> | undefined }): ByType {
  return new Map(Object.entries(handlers).flatMap(([type, handler]) => (handler ? [[type, handler]] : [])));
}
