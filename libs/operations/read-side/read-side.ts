import { ProjectionBehind, type ProjectionRunner, type WhichStreams } from '#lib/read-models';
import type { WrittenPosition } from './written-position.js';

/** How long a query waits for events that its process wrote, before it is answered without them. */
const OWN_WRITES_MS = 1000;
/** How long the status of projections waits for events that they hold back. */
const STATUS_MS = 100;

/** Waits until the rows have the events that the caller of a query has seen written. */
export class ReadSide {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly written: WrittenPosition,
    private readonly waitMs: number,
  ) {}

  /**
   * Waits until these projections have `minPosition`, or else the last event that this process has acknowledged. In both cases it also
   * waits, for a second at most, for events that the process that makes the rows holds back: a caller may have seen what a run has written
   * since.
   * @throws ForeignPosition | ProjectionBehind for a `minPosition`; without one a query is answered late rather than never
   */
  async waitForOwnWrites(names: readonly string[], minPosition?: string): Promise<void> {
    const settled = this.projections.settle(names, OWN_WRITES_MS);
    const reached =
      minPosition === undefined
        ? this.waitForPosition(names, this.written.latest)
        : this.projections.waitFor(names, minPosition, this.waitMs);
    await Promise.all([reached, settled]);
  }

  /** Waits, for 100 ms at most, for events that these projections hold back, before their status is read: they are no lag. */
  async settle(names: readonly string[]): Promise<void> {
    await this.projections.settle(names, STATUS_MS);
  }

  /**
   * As `waitForOwnWrites` without a position, for projections of events that only commands write: waits for the last event of this process
   * that may have changed their rows, and for the log as the process found it, but not for later events.
   */
  async reachedChanges(names: readonly string[]): Promise<void> {
    await this.waitForPosition(names, this.#changesOf(names));
  }

  /**
   * As `reachedChanges`, before a decision: a proposer or an arbiter that the rows lack would be passed over.
   * @throws ProjectionBehind
   */
  async requireChanges(names: readonly string[]): Promise<void> {
    const position = this.#changesOf(names);
    const waitMs = Math.max(this.waitMs, OWN_WRITES_MS);
    if (position !== undefined) await this.projections.waitFor(names, position, waitMs);
  }

  /**
   * The last position at which rows of these projections may have changed, once they have the events that `reachedChanges` waits for: rows
   * that were read since then are still the same. `undefined` if this process does not know.
   */
  changedAt(names: readonly string[]): string | undefined {
    return this.projections.changedAt(names, this.#changesOf(names));
  }

  #changesOf(names: readonly string[]): string | undefined {
    const types = this.projections.typesTakenBy(names);
    return types ? this.written.latestOf(types) : this.written.latest;
  }

  /** @throws StreamStandsStill if the rows of this stream stand still */
  async checkStream(category: string, id: string): Promise<void> {
    await this.projections.checkStream(category, id);
  }

  /**
   * @param which the streams that the caller asks about; default: all
   * @throws StreamStandsStill if one of these streams stands still in these projections: its rows may be missing
   */
  async checkWhole(names: readonly string[], which?: WhichStreams): Promise<void> {
    await this.projections.checkWhole(names, which);
  }

  /** The number of streams of these projections that stand still: in lists they are missing or outdated. */
  standingStillOf(names: readonly string[]): Promise<number> {
    return this.projections.standingStillOf(names);
  }

  /** Waits until all rows have this position, for a second at most: the next read shows the event, or why the rows lack it. */
  async waitForRows(position: string): Promise<void> {
    await this.waitForPosition(this.projections.names, position);
  }

  private async waitForPosition(names: readonly string[], position: string | undefined): Promise<void> {
    try {
      if (position !== undefined) await this.projections.waitFor(names, position, OWN_WRITES_MS);
    } catch (error) {
      if (!(error instanceof ProjectionBehind)) throw error;
    }
  }

  /** The position that the rows of all these projections have; `undefined` before the first event. */
  async reachedBy(names: readonly string[]): Promise<string | undefined> {
    const found = (await this.projections.status()).filter(({ name }) => names.includes(name));
    const [least] = found.map(({ position }) => position ?? '').toSorted();
    return least === '' ? undefined : least;
  }

  /** Waits until these projections have everything that is in the log now. @throws ProjectionBehind */
  async waitForHead(names: readonly string[]): Promise<void> {
    await this.projections.caughtUpWithHead(this.waitMs, names);
  }
}

/** The position that rows must have before they are read, if they get there in time. */
export interface ReadOptions {
  readonly minPosition?: string;
}
