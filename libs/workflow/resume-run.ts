import { type EventLog, StoreUnavailable } from '#lib/event-store';
import { RecentMap } from '#lib/kernel';
import { HeldLease } from './leases/held-lease.js';
import type { LeaseHolder } from './leases/leases.js';
import type { RunLoader } from './load-run.js';
import type { Run } from './run.rules.js';
import type { Time } from './time.js';

interface ResumerParts {
  readonly log: EventLog;
  readonly holder: LeaseHolder;
  readonly time: Time;
}

/** The most runs at rest that this process knows. It verifies other runs again when it continues them. */
const MOST_KNOWN = 10_000;

/**
 * Loads runs that this process continues. A record from before this process is verified first: events that follow from a damaged record would be
 * wrong, and would be recorded.
 */
export class RunResumer {
  /** By stream, the revision up to which this process has verified or written the record, and recorded all events that follow from it. */
  readonly #known = new RecentMap<number>(MOST_KNOWN);

  constructor(
    private readonly parts: ResumerParts,
    private readonly loader: RunLoader,
  ) {}

  /**
   * `undefined` if there is no run, if this process lacks its version, or if the run fails while another process drives it.
   * @throws DamagedRun @throws StoreUnavailable, and as `RunLoader.load`
   */
  async resume(stream: string): Promise<Run | undefined> {
    try {
      const run = await (this.#known.has(stream) ? this.loader.load(stream) : this.loader.verified(stream));
      if (!run && (await this.parts.log.load(stream)).revision < 0) await this.#isFree(stream);
      return run;
    } catch (error) {
      if (error instanceof StoreUnavailable || (await this.#isFree(stream))) throw error;
      return undefined;
    }
  }

  /** This process stopped driving the run. @param revision at which it waits or has ended; `undefined` if another driver has to continue */
  left(stream: string, revision: number | undefined): void {
    if (revision === undefined) this.#known.delete(stream);
    else this.#known.set(stream, revision);
  }

  /** Whether no event follows from the stream up to this revision. A reader of the log may be far behind the drivers of this process. */
  isAtRest(stream: string, revision: number): boolean {
    return revision <= (this.#known.get(stream) ?? -1);
  }

  /** Whether no other process drives the run. A lease that this run's last driver left is released, too. */
  async #isFree(stream: string): Promise<boolean> {
    const { holder } = this.parts;
    const lease = await HeldLease.take(holder, stream);
    await lease?.release();
    return lease !== undefined;
  }
}
