/** A key in a cursor that is of no place in its list, such as one that an earlier version wrote: `pageOf` refuses the cursor. */
export class UnknownKey extends Error {}

/** @throws UnknownKey */
export function numberInKey(key: string): number {
  const number = Number(key);
  if (!/^\d+$/.test(key) || !Number.isSafeInteger(number)) throw new UnknownKey(key);
  return number;
}

/**
 * The index after a key in all keys of a list, 0 without one.
 * @throws UnknownKey
 */
export function placeAfterKey(keys: readonly string[], key: string | undefined): number {
  if (key === undefined) return 0;
  const at = keys.indexOf(key);
  if (at < 0) throw new UnknownKey(key);
  return at + 1;
}
