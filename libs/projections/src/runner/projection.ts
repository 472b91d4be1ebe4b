import type { StreamCategory } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { Change } from '../store/statement.js';
import type { Table } from '../store/table.js';

/**
 * The changes of an event to the rows; `id` is the part after the category in its stream's name. Pure: it sees the event and
 * nothing else, so rows depend on the log alone. It throws where the event cannot be.
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
