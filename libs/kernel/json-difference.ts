import { isJsonObject, jsonText, ownMember } from './json.js';
import { escapePointerToken } from './json-pointer.js';

/** The first difference of two JSON values. `pointer` is an RFC 6901 JSON pointer; a missing side is `undefined`. */
export interface JsonDifference {
  readonly pointer: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/**
 * The first location, in reading order, where the JSON texts of two values differ; `undefined` if the texts are equal. If only the order of members
 * differs, the location is the object that holds them.
 */
export function firstDifference(
  recorded: unknown,
  replayed: unknown,
  pointer = '',
): JsonDifference | undefined {
  if (sameJson(recorded, replayed)) return undefined;
  const parts = comparableParts(recorded, replayed);
  for (const name of parts ?? []) {
    const found = firstDifference(
      member(recorded, name),
      member(replayed, name),
      `${pointer}/${escapePointerToken(name)}`,
    );
    if (found) return found;
  }
  return { pointer, recorded, replayed };
}

/**
 * All locations where the JSON texts of two values differ, in reading order, up to a number of them. The order of members does not count, because the
 * values are compared for people.
 */
export function differences(a: unknown, b: unknown, most: number, pointer = ''): readonly JsonDifference[] {
  if (sameJson(a, b)) return [];
  const parts = comparableParts(a, b);
  if (!parts) return [{ pointer, recorded: a, replayed: b }];
  const found: JsonDifference[] = [];
  for (const name of parts) {
    if (found.length >= most) break;
    const below = `${pointer}/${escapePointerToken(name)}`;
    found.push(...differences(member(a, name), member(b, name), most - found.length, below));
  }
  return found;
}

/** Whether the JSON texts of two values are equal, or both values are undefined. Objects and lists are compared without making their texts. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  if (!isPlain(a) || !isPlain(b)) return jsonText(a) === jsonText(b);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return !Array.isArray(b) && sameMembers(a, b);
}

/** A list, or an object that writes its own members. */
function isPlain(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && typeof (value as Members)['toJSON'] !== 'function';
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  // `every` would leave out holes.
  for (let index = 0; index < a.length; index++)
    if (!sameJson(inList(a[index]), inList(b[index]))) return false;
  return true;
}

/** Whether two objects have the same members in the same order. Members that JSON text leaves out do not count. */
function sameMembers(a: Members, b: Members): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  let other = 0;
  for (const name of names) {
    if (isLeftOut(a[name])) continue;
    while (other < others.length && isLeftOut(b[others[other] as string])) other++;
    if (others[other] !== name || !sameJson(a[name], b[name])) return false;
    other++;
  }
  return others.slice(other).every((name) => isLeftOut(b[name]));
}

type Members = { readonly [name: string]: unknown };

/** The item in JSON text: null for a value that has no text. */
function inList(item: unknown): unknown {
  return isLeftOut(item) ? null : item;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function comparableParts(a: unknown, b: unknown): string[] | undefined {
  const bothArrays = Array.isArray(a) && Array.isArray(b);
  const bothObjects = isJsonObject(a) && isJsonObject(b);
  if (!bothArrays && !bothObjects) return undefined;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}

function member(value: unknown, name: string): unknown {
  const found = ownMember(value as Record<string, unknown>, name);
  // JSON text has null where an array holds undefined.
  return found === undefined && Array.isArray(value) && Number(name) < value.length ? null : found;
}
