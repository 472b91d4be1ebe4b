import { ProjectionBehind, type ProjectionRunner, type WhichStreams } from '#lib/read-models';
import type { WrittenPosition } from './written-position.js';

/** How long a query waits for what its process wrote before it answers with what there is. */
const OWN_WRITES_MS = 1000;
/** How long the status of projections waits for what they hold back. */
const STATUS_MS = 100;

/** When a query may be answered: what its caller has seen written must be in the rows it reads. */
export class ReadSide {
  constructor(
    private readonly projections: ProjectionRunner,
    private readonly written: WrittenPosition,
    private readonly waitMs: number,
  ) {}

  /**
   * Waits until these projections have `minPosition`, or else what this process has acknowledged. What the process that makes the rows has
   * held back is waited for in any case, for a second at most: a caller may have seen what a run has written since.
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

  /** Before the status of these projections is read: what they hold back is no lag, for 100 ms at most. */
  async settle(names: readonly string[]): Promise<void> {
    await this.projections.settle(names, STATUS_MS);
  }

  /**
   * As `reached` without a position, for projections of nothing but what commands write: waits for the last command of this
   * process, and the log as it found it, that may have changed their rows, and not for what was written since.
   */
  async reachedChanges(names: readonly string[]): Promise<void> {
    await this.waitForPosition(names, this.#changesOf(names));
  }

  /**
   * The same before a decision: a proposer or an arbiter that the rows lack would be passed over.
   * @throws ProjectionBehind
   */
  async requireChanges(names: readonly string[]): Promise<void> {
    const position = this.#changesOf(names);
    const waitMs = Math.max(this.waitMs, OWN_WRITES_MS);
    if (position !== undefined) await this.projections.waitFor(names, position, waitMs);
  }

  /**
   * The last position at which rows of these may have changed, once they have what `reachedChanges` waits for: what was read of them
   * since is as it would be read again. `undefined` if this process does not know.
   */
  changedAt(names: readonly string[]): string | undefined {
    return this.projections.changedAt(names, this.#changesOf(names));
  }

  #changesOf(names: readonly string[]): string | undefined {
    const types = this.projections.typesTakenBy(names);
    return types ? this.written.latestOf(types) : this.written.latest;
  }

  /** @throws StreamStandsStill if the rows of this stream are old, whatever comes */
  async checkStream(category: string, id: string): Promise<void> {
    await this.projections.checkStream(category, id);
  }

  /**
   * @param which the streams that the caller asks about; default: all
   * @throws StreamStandsStill if one of them stands still that these projections show: what it has may be missing
   */
  async checkWhole(names: readonly string[], which?: WhichStreams): Promise<void> {
    await this.projections.checkWhole(names, which);
  }

  /** How many of the streams that these projections show are missing in their lists, or old there. */
  standingStillOf(names: readonly string[]): Promise<number> {
    return this.projections.standingStillOf(names);
  }

  /** Waits until all rows have this position, and a second at most: what reads next then shows it, or there is a reason that it shows itself. */
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

  /** How far the rows of all of these are; `undefined` before the first event. */
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

/** Reading as new as this position of the log, if the rows get there in time. */
export interface ReadOptions {
  readonly minPosition?: string;
}
