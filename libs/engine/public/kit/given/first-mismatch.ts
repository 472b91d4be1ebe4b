import { escapePointerToken, isJsonObject, sameJson } from '#lib/kernel';

/** The place of a difference between a value and the expected one. */
export interface Mismatch {
  /** JSON pointer. */
  readonly pointer: string;
  readonly expected: unknown;
  readonly came: unknown;
}

/**
 * The first difference of a value from the expected one; `undefined` if there is none. Objects may have more members than expected, lists
 * may not have more items. An expected value with a method `asymmetricMatch`, such as `expect.any(String)` of jest and vitest, decides
 * itself whether a value fits.
 */
export function firstMismatch(expected: unknown, came: unknown, pointer = ''): Mismatch | undefined {
  if (isMatcher(expected))
    return expected.asymmetricMatch(came) ? undefined : { pointer, expected: String(expected), came };
  if (Array.isArray(expected) && Array.isArray(came) && expected.length === came.length)
    return firstOf(expected, came, pointer);
  if (isJsonObject(expected) && isJsonObject(came)) return firstOf(expected, came, pointer);
  return sameJson(expected, came) ? undefined : { pointer, expected, came };
}

function firstOf(expected: object, came: object, pointer: string): Mismatch | undefined {
  const members = new Map<string, unknown>(Object.entries(came));
  for (const [name, value] of Object.entries(expected)) {
    const found = firstMismatch(value, members.get(name), `${pointer}/${escapePointerToken(name)}`);
    if (found) return found;
  }
  return undefined;
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toString(): string;
}

function isMatcher(value: unknown): value is Matcher {
  return typeof (value as Partial<Matcher> | null)?.asymmetricMatch === 'function';
}
