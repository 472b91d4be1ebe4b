import type { Dataset } from '../views/dataset.js';
import type { StreamCategory } from '#lib/event-store';
import type { Event, RecordedEvent } from '#lib/kernel';
import { isRunCategory } from '#lib/workflow';
import type { ColumnOf, InputOf, Table } from '../store/table.js';

/** The record of a row in memory. */
export type DocOf<T extends Table> = { -readonly [Member in keyof InputOf<T>]: InputOf<T>[Member] };

type DeepReadonly<Value> = Value extends readonly [infer First, infer Second]
  ? readonly [DeepReadonly<First>, DeepReadonly<Second>]
  : Value extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : Value extends object
      ? { readonly [Member in keyof Value]: DeepReadonly<Value[Member]> }
      : Value;

/** A read-only document for a fold. */
export type SeenDoc<T extends Table> = DeepReadonly<DocOf<T>>;

/** Rows that change: each is loaded for an event, changed in memory, and written once at the end of a page. */
export interface Documents<T extends Table = Table> {
  readonly mode: 'documents';
  readonly table: T;
  /** The primary key column: of text or of UUIDs. */
  readonly id: string;
  /** Documents that a fold of this one may also see or change. */
  readonly refs?: (doc: never) => readonly Ref[];
  /** Documents at rest expect no further event: they leave memory after their page. */
  readonly isAtRest?: (doc: never) => boolean;
}

/** Rows that are added and never changed. */
export interface Facts<T extends Table = Table> {
  readonly mode: 'facts';
  readonly table: T;
  /** A row with an existing key is left out; otherwise its page is refused. */
  readonly once: boolean;
}

/** Rows of sums by key. Additions of a page are summed in memory, then each sum is added to its row. */
export interface Totals<T extends Table = Table> {
  readonly mode: 'totals';
  readonly table: T;
  readonly add: readonly string[];
  readonly highest: readonly string[];
  readonly replace: readonly string[];
}

export type Kind = Documents | Facts | Totals;

/** A document that a fold sees or changes. `new`: the event makes it, and it is not looked up. */
export type Ref = readonly [kind: Documents, id: string, is?: 'new'];

/** A kind of rows that change, by the column of their id. */
export function documents<T extends Table>(
  table: T,
  id: ColumnOf<T>,
  more: {
    readonly refs?: (doc: SeenDoc<T>) => readonly Ref[];
    readonly isAtRest?: (doc: SeenDoc<T>) => boolean;
  } = {},
): Documents<T> {
  return { mode: 'documents', table, id, ...more };
}

/** A kind of rows that are added and never changed. `once`: a row with an existing key is left out; otherwise it is an error. */
export function facts<T extends Table>(table: T, how: { readonly once?: true } = {}): Facts<T> {
  return { mode: 'facts', table, once: how.once ?? false };
}

/** A kind of rows of sums: the columns to add up, those that keep the maximum, and those that keep the last value. */
export function totals<T extends Table>(
  table: T,
  how: { readonly [How in 'add' | 'highest' | 'replace']?: readonly ColumnOf<T>[] },
): Totals<T> {
  const { add = [], highest = [], replace = [] } = how;
  return { mode: 'totals', table, add, highest, replace };
}

/** The interface of folds. A fold sees its event and documents and no other row, so rows depend on the log alone. */
export interface Page {
  /** `undefined` if there is no such document. @throws DocumentNotLoaded if the event's needs do not name it */
  see<T extends Table>(kind: Documents<T>, id: string): SeenDoc<T> | undefined;
  /** As `see`, for changes. @throws DocumentNotLoaded */
  change<T extends Table>(kind: Documents<T>, id: string): DocOf<T> | undefined;
  /** Adds or replaces a document. @throws DocumentNotLoaded */
  put<T extends Table>(kind: Documents<T>, doc: DocOf<T>): void;
  /** @throws DocumentNotLoaded */
  drop(kind: Documents, id: string): void;
  add<T extends Table>(kind: Facts<T>, row: InputOf<T>): void;
  count<T extends Table>(kind: Totals<T>, row: InputOf<T>): void;
}

/** An event with its number in the log: 1, 2, …, counted over all visible events. */
export type NumberedEvent<E extends Event = Event> = RecordedEvent<E> & { readonly number: number };

/**
 * Changes rows by an event. It throws for an impossible event.
 * @param id the part after the category in the name of its stream
 */
export type Fold<E extends Event = Event> = {
  bivarianceHack(page: Page, event: NumberedEvent<E>, id: string, category: string): void;
}['bivarianceHack'];

/** The documents that a fold sees or changes, besides those of the event's own stream. */
export type Needs<E extends Event = Event> = {
  bivarianceHack(event: RecordedEvent<E>, id: string): readonly Ref[];
}['bivarianceHack'];

/** A fold of events of one type. */
export type FoldOf<E extends Event> = Fold<E> | { readonly needs: Needs<E>; readonly fold: Fold<E> };

/** The folds for the events of a category, by type. Other types change no row. */
export type Folds<E extends Event> = {
  readonly [Type in E['type']]?: FoldOf<Extract<E, { type: Type }>>;
};

/** Tables that queries name together, and the folds that fill them. */
export interface ReadModel<Name extends string = string> {
  /** The name by which queries wait for it. */
  readonly name: Name;
  readonly kinds: readonly Kind[];
  /** Models before it: its folds see their documents, or its queries their rows. */
  readonly sees?: readonly string[];
  /** Documents with the id of the stream, by category. */
  readonly of?: { readonly [Category in StreamCategory]?: readonly Documents[] };
  /** The same for runs of workflows that `of` does not name. */
  readonly ofRuns?: readonly Documents[];
  /** Folds by category: by type, or one for every event. */
  readonly on: { readonly [Category in StreamCategory]?: FoldOf<Event> | Folds<Event> };
  /** The same for runs of workflows that `on` does not name. */
  readonly onRuns?: FoldOf<Event> | Folds<Event>;
}

/** The models that one loop fills. */
export interface LoopModels<Name extends string = string> {
  readonly name: string;
  readonly models: readonly ReadModel<Name>[];
  /** The version in the names of all its tables. Default: that of `foldedTable`. */
  readonly version?: number;
  /** The views for analysts over these rows. */
  readonly datasets?: readonly Dataset[];
  /** A fold that throws stops the loop before the event. Default: the rows of the event's stream stand still. */
  readonly stopsAtErrors?: true;
}

/** The types of events that can change rows of a model; `undefined` if it folds every event of some category. */
export function typesFolded({ on, onRuns = {} }: ReadModel): readonly string[] | undefined {
  const folds = [...Object.values(on), onRuns];
  return folds.some(takesEvery) ? undefined : folds.flatMap((byType) => Object.keys(byType));
}

/** Whether a model shows the streams of this category. */
export function shows({ on, of = {}, onRuns, ofRuns }: ReadModel, category: string): boolean {
  if (Object.hasOwn(on, category) || Object.hasOwn(of, category)) return true;
  return (onRuns !== undefined || ofRuns !== undefined) && isRunCategory(category);
}

/** Whether a declaration is one fold for every event. */
export function takesEvery(declared: FoldOf<Event> | Folds<Event>): declared is FoldOf<Event> {
  return typeof declared === 'function' || typeof declared['fold'] === 'function';
}

/** The folds without effect on copied events, which count in their original stream alone. */
export function withoutCopies<E extends Event>(folds: Folds<E>): Folds<E> {
  const all = Object.entries(folds as { readonly [type: string]: FoldOf<Event> });
  return Object.fromEntries(all.map(([type, one]) => [type, withoutCopied(one)])) as Folds<E>;
}

function withoutCopied(one: FoldOf<Event>): FoldOf<Event> {
  const { needs, fold } = typeof one === 'function' ? { needs: undefined, fold: one } : one;
  const own: Fold = (page, event, id, category) => {
    if (!event.metadata.copied) fold(page, event, id, category);
  };
  return needs ? { needs, fold: own } : own;
}
