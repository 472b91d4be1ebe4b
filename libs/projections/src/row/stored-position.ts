/**
 * The number in a position. All rows of a store are of one log, so its name, most of a position's text, is not repeated in them.
 * Numbers of every event store are below 2^53.
 */
export function storedPosition(position: string): number {
  return Number(position.slice(position.lastIndexOf('.') + 1));
}

/** The name of the log, the rest of a position. */
export function logIdIn(position: string): string {
  return position.slice(0, position.lastIndexOf('.'));
}

/** The number in a cursor's key; 0, where the list begins or ends, for a key of another kind. */
export function numberInKey(key: string): number {
  const position = Number(key);
  return Number.isSafeInteger(position) ? position : 0;
}
