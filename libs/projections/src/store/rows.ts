import type { Kysely } from 'kysely';
import type { ReadSchema } from './read-schema.js';

declare const readsOnly: unique symbol;

/**
 * The read models as a query sees them that reads rows of these projections alone. A query function asks for those of the
 * projections it reads; the compiler refuses it where fewer were named, and so not waited for.
 */
export type Rows<Name extends string> = Kysely<ReadSchema> & {
  readonly [readsOnly]?: (name: Name) => void;
};

/** Equalities for the members that a filter gives: the others select everything. */
export function given<T extends object>(filter: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}
