import { parseJsonObject } from '#lib/kernel';
import { encodingOf } from '../blobs/put-back.js';
import type { EventStore, EventToStore, StoredEvent } from '../event-store.js';
import type { Position } from '../position.js';
import type { StreamNames } from '../stream-names.js';

/** A log and its copy. */
export interface LogPair {
  readonly source: EventStore;
  readonly target: EventStore;
  /** The names of the streams in both logs: they have the same prefix. */
  readonly names: StreamNames;
  /** The last position of the source that is part of the copy; `undefined` for an empty source. */
  readonly until: Position | undefined;
  /** Called before the first event is written, if the target can take the copy. */
  readonly onBegin?: () => Promise<void>;
  /** Called after each part of the work with the number of finished events. */
  readonly onProgress?: (events: number) => void;
}

/**
 * Streams that belong to one log: its claims, its seals and the marks of its copies. Blobs have no place in a log's order; they come with the events
 * that refer to them.
 */
const OF_ONE_LOG: ReadonlySet<string> = new Set(['log', 'blob']);

/** The id of the stream of a log's seals. */
export const SEALS = 'seals';

/** Whether the events of this stream are leaves of the tree over the log. */
export function isSealed(names: StreamNames, stream: string): boolean {
  const name = names.parse(stream);
  return name !== undefined && !OF_ONE_LOG.has(name.category);
}

/** Whether a copy of the log has this stream. */
export function isCopied(names: StreamNames, stream: string): boolean {
  return isSealed(names, stream) || stream === names.of('log', SEALS);
}

/** The streams of the large bodies that this event refers to, each once, in the order of the references. */
export function blobStreamsOf(names: StreamNames, { metadata }: StoredEvent): readonly string[] {
  // Parsing the metadata of every event would be most of the work of a copy.
  if (!metadata.includes('"blobs"')) return [];
  const blobs = encodingOf(parseJsonObject(metadata) ?? {})?.blobs ?? [];
  return [...new Set(blobs.map(({ sha256 }) => names.of('blob', sha256)))];
}

/** Whether two events are equal to the letter, at any positions. */
export function sameEvent(one: EventToStore, other: EventToStore): boolean {
  return (
    one.eventId === other.eventId &&
    one.type === other.type &&
    one.data === other.data &&
    one.metadata === other.metadata
  );
}
