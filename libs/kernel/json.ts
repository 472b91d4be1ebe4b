/** A value that survives JSON text unchanged. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
/** An object that JSON can hold. TypeScript gives a `type` of such members the index signature that an `interface` lacks. */
export type JsonObject = { readonly [member: string]: Json | undefined };

/**
 * The JSON text of a value, without added white space, members in the order they were written. For Redial, two values are the same exactly if their
 * JSON texts are equal: order has meaning (the first available transition, the order of tools).
 * @throws TypeError if the value has no JSON text (undefined, a function, a bigint, a cycle).
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`A ${typeof value} has no JSON text.`);
  return text;
}

/** Reads JSON text that must be an object; `undefined` for other JSON and for text that is not JSON. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value is an object, and neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A record's own member, never an inherited one: names like `constructor` come from outside. */
export function ownMember<T>(
  record: { readonly [member: string]: T } | undefined,
  name: string,
): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** The object without its undefined members, in the same order. Their names are from code, not from data. */
export function present<T extends object>(members: T): Present<T> {
  const found: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) found[name] = value;
  return found as Present<T>;
}

/**
 * The most levels of a value that a function, a webhook or an MCP server returns. SQLite treats JSON of more than 1,000 levels as damaged, and events
 * and rows add some levels around a value.
 */
export const MOST_ANSWER_LEVELS = 900;

/** Whether a value has more than `limit` levels of nested arrays and objects. Also terminates for a value that contains itself. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.some((member) => isDeeperThan(member, limit - 1));
}

/** JSON text with members in the order of their names (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return jsonText(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const members = names.toSorted().map((name) => `${jsonText(name)}:${canonicalText(value[name])}`);
  return `{${members.join(',')}}`;
}
