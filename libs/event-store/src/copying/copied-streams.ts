import type { StreamNames } from '../stream-names.js';

/**
 * Streams that belong to one log and are not copied: its claims. Blobs are no part of a log's order; they come
 * with the events that refer to them.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['log', 'blob']);

/** Whether a copy of the log has this stream. */
export function isCopied(names: StreamNames, stream: string): boolean {
  const name = names.parse(stream);
  return name !== undefined && !LEFT_OUT.has(name.category);
}
