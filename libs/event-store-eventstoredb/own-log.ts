import type { StoredEvent } from '#lib/event-store';
import type { LogProgress } from './log-progress.js';

/** The part of the server's log that belongs to this log. */
export interface OwnLog {
  readonly logId: string;
  readonly prefix: string;
  readonly progress: LogProgress;
  /** False for the marker's events, whose streams have the prefix, too. */
  readonly isOurs: (event: StoredEvent) => boolean;
  /** Called after each step of `progress`. */
  readonly onProgress: () => void;
}
