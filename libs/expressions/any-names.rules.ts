import type { Json, JsonObject } from '#lib/kernel';

/** A value as the library of expressions reads it. */
type Readable =
  | Json
  | ReadonlyMap<string, unknown>
  | readonly unknown[]
  | { readonly [name: string]: unknown };

/** The values of variables, as the library reads them. */
export function readableMembers(values: JsonObject): { readonly [name: string]: Readable | undefined } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withAnyNames(value)]));
}

/** By identity: values are not changed, and those of a conversation are read by many expressions. */
const known = new WeakMap<object, Readable>();

/**
 * The value with each object that has a member `constructor` as a map: the library takes this member for the class of the object, and
 * refuses it. A value without such an object is given back as it is.
 */
function withAnyNames(value: Json | undefined): Readable | undefined {
  if (typeof value !== 'object' || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const made = Array.isArray(value) ? list(value as readonly Json[]) : object(value as JsonObject);
  known.set(value, made);
  return made;
}

function list(items: readonly Json[]): Readable {
  const made = items.map(withAnyNames);
  return made.every((item, index) => item === items[index]) ? items : made;
}

function object(value: JsonObject): Readable {
  const entries = Object.entries(value);
  const made = entries.map(([name, member]) => [name, withAnyNames(member)] as const);
  if (Object.hasOwn(value, 'constructor')) return new Map(made);
  return made.every(([, member], index) => member === entries[index]?.[1]) ? value : Object.fromEntries(made);
}
