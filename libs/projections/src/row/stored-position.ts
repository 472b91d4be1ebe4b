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
