import type { EventStore } from '../event-store.js';
import type { Position } from '../position.js';
import type { StreamNames } from '../stream-names.js';

/** A log and its copy. */
export interface LogPair {
  readonly source: EventStore;
  readonly target: EventStore;
  /** Both have the streams of one prefix: streams keep their names. */
  readonly names: StreamNames;
  /** The last position of the source that is part of the copy; `undefined` for an empty one. */
  readonly until: Position | undefined;
  /** Called after each part of the work with the number of events that are done. */
  readonly onProgress?: (events: number) => void;
}
