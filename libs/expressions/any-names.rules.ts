import type { Json, JsonObject } from '#lib/kernel';

/** A value in the form for the expression library. */
type Readable =
  | Json
  | ReadonlyMap<string, unknown>
  | readonly unknown[]
  | { readonly [name: string]: unknown };

/** The values of variables in the form for the library. */
export function readableMembers(values: JsonObject): { readonly [name: string]: Readable | undefined } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withAnyNames(value)]));
}

/** By identity, because values do not change, and many expressions read those of a conversation. */
const known = new WeakMap<object, Readable>();

/**
 * The value, with a map in place of each object that has a member `constructor`: the library treats this member as the class of the object, and
 * refuses it. A value without such an object is returned unchanged.
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
