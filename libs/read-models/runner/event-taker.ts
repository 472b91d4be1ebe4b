import type { LogEvent } from './log-reader.js';

/** Folds the events of the log into rows, page by page, each once. */
export interface EventTaker {
  readonly name: string;
  /** The name of the lease under which one process at a time takes events. */
  readonly lease: string;
  /** The position of the last taken event; "" before the first. */
  readonly reached: string;
  /** Loads the place of the rows. @throws StoreUnavailable */
  load(): Promise<void>;
  /**
   * Takes the next events.
   * @returns false if another process took some: then only stored pages count
   * @throws EventNotProjected | StoreUnavailable
   */
  take(page: readonly LogEvent[]): Promise<boolean>;
  /** Called between pages while the loop catches up. */
  pageTaken?(): Promise<void>;
  /** Until `load`, no event counts as taken. */
  forget(): void;
}
