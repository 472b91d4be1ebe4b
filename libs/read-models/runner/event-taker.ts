import type { LogEvent } from './log-reader.js';

/** Takes the events of the log into rows, page by page and each once. */
export interface EventTaker {
  readonly name: string;
  /** The name of the lease under which one process at a time takes events. */
  readonly lease: string;
  /** The position of the last event that was taken; "" before the first. */
  readonly reached: string;
  /** Goes to where the rows are. @throws StoreUnavailable */
  load(): Promise<void>;
  /**
   * The next events.
   * @returns false if another process has taken some: then nothing counts that was not kept before
   * @throws EventNotProjected | StoreUnavailable
   */
  take(page: readonly LogEvent[]): Promise<boolean>;
  /** Between pages while it catches up. */
  pageTaken?(): Promise<void>;
  /** Until `load`, nothing counts as taken. */
  forget(): void;
}
