import type { ReadStore } from '../store/read-store.js';
import type { EventTaker } from './event-taker.js';
import type { LogEvent } from './log-reader.js';
import { Progress } from './progress.js';
import { projectBatch } from './project-batch.js';
import type { Projection } from './projection.js';

/** The rows of one projection. */
export class ProjectionTaker implements EventTaker {
  readonly progress: Progress;

  constructor(
    readonly projection: Projection,
    private readonly store: ReadStore,
    onAhead: () => void,
  ) {
    this.progress = new Progress(store, projection, onAhead);
  }

  get name(): string {
    return this.projection.name;
  }

  get lease(): string {
    return `projection ${this.name} version ${this.projection.version}`;
  }

  get reached(): string {
    return this.progress.reached;
  }

  load(): Promise<void> {
    return this.progress.load();
  }

  take(page: readonly LogEvent[]): Promise<boolean> {
    return projectBatch(this.progress, page);
  }

  /** Also where the page changed no row: this waits for the transaction of the others, and all go on to the next page together. */
  async pageTaken(): Promise<void> {
    if (this.store.sharesTransactions) await this.progress.store();
  }

  forget(): void {
    this.progress.forget();
  }
}
