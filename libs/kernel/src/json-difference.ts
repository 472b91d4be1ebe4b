import { isJsonObject, jsonText, ownMember } from './json.js';
import { escapePointerToken } from './json-pointer.js';

/** The first difference of two JSON values. `pointer` is an RFC 6901 JSON pointer; a missing side is `undefined`. */
export interface JsonDifference {
  readonly pointer: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/**
 * The first location, in reading order, where the JSON texts of two values differ; `undefined` when the texts are equal.
 * Members in another order are a difference of the object that holds them.
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

function sameJson(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return jsonText(a) === jsonText(b);
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
