import { type EventLog, StoreUnavailable } from '#lib/event-store';
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

/** Runs whose record this process has verified or written, and that wait. More are verified again when they are continued. */
const MOST_KNOWN = 10_000;

/**
 * Loads runs that this process continues. A record from before this process is verified first: what follows from a damaged one would be
 * wrong, and would be recorded.
 */
export class RunResumer {
  readonly #known = new Set<string>();

  constructor(
    private readonly parts: ResumerParts,
    private readonly loader: RunLoader,
  ) {}

  /**
   * `undefined` if there is no run, this process does not have its version, or it fails while another process drives it.
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

  /** A run waits, as this process has written it. */
  parked(stream: string): void {
    this.#known.delete(stream);
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size >= MOST_KNOWN) this.#known.delete(oldest);
    this.#known.add(stream);
  }

  forget(stream: string): void {
    this.#known.delete(stream);
  }

  /** Whether no other process drives it. A lease that its process left is released with it. */
  async #isFree(stream: string): Promise<boolean> {
    const { holder, time } = this.parts;
    const lease = await HeldLease.take(holder, stream, () => undefined, time);
    await lease?.release();
    return lease !== undefined;
  }
}
