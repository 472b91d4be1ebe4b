import { setImmediate } from 'node:timers/promises';
import { ChangeSignal } from '#lib/event-store';
import { type LeaseHolder, underLease } from '#lib/workflow';
import type { EventTaker } from './event-taker.js';
import { Failures } from './failures.js';
import type { LogReader } from './log-reader.js';
import { pause } from './pause.js';
import type { ProjectionFailure } from './projection-status.js';
import { POLL_MS, somethingNew } from './wait-for-position.js';

/** Looks for a free lease within its lifetime. */
const LOOKS = 5;
/** A page of fewer events is followed by a wait for more: a transaction costs more than the rows of some events. */
const FULL_ENOUGH = 32;
/** The length of that wait. If other machines may wait for the rows: no longer than their poll. */
const GATHER_MS = 50;
const SHARED_GATHER_MS = POLL_MS;
/** The time without such waits after a caller came. */
const HURRIED_MS = 250;

/** The parts of a loop. With a lease holder it takes no turn while another process has the lease. */
interface LoopParts {
  readonly reader: LogReader;
  readonly holder: LeaseHolder | undefined;
  /** Called once for each failure, and not for its repetitions. */
  readonly onStopped: (name: string, failure: ProjectionFailure) => void;
}

/**
 * Follows the log for one taker of events until it is stopped. Each turn starts from the stored place. A turn ends when another
 * process was first, when it is interrupted, or at a failure; after failures in a row the pause before the next turn grows. The
 * end of a turn gives the lease back: another process may succeed.
 */
export class ProjectionLoop {
  #turn = new AbortController();
  #stopped = false;
  readonly #failures: Failures;
  /** Ends a wait for more events. */
  readonly #hurry = new ChangeSignal();
  /** Until this time no page waits. */
  #hurriedUntil = 0;
  #follows = false;

  constructor(
    readonly taker: EventTaker,
    private readonly parts: LoopParts,
  ) {
    this.#failures = new Failures((failure) => parts.onStopped(taker.name, failure));
  }

  /** The failure that stops it; absent while it runs. */
  get failure(): ProjectionFailure | undefined {
    return this.#failures.last;
  }

  /** The failure at an event that is refused after retries: a first failure may be temporary. */
  get refusal(): ProjectionFailure | undefined {
    return this.#failures.refusal;
  }

  /** Whether it has caught up, and takes new events as they come. */
  get follows(): boolean {
    return this.#follows;
  }

  /** Resolves after `stop`. Never rejects: failures are in `failure`. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#turn = new AbortController();
      await this.#takeTurn(this.#turn.signal);
    }
  }

  /** Loads the place again and continues from there at once, after the batch that is being written. */
  interrupt(): void {
    this.#turn.abort();
    this.#hurry.announce();
  }

  stop(): void {
    this.#stopped = true;
    this.interrupt();
  }

  /**
   * A caller waits for rows: pages do not wait for more events now and for a while, since callers tend to come again.
   * @returns whether events may have been held back until now
   */
  hurry(): boolean {
    const hasHeldBack = this.#follows && !this.#isHurried;
    this.#hurriedUntil = performance.now() + HURRIED_MS;
    this.#hurry.announce();
    return hasHeldBack;
  }

  get #isHurried(): boolean {
    return performance.now() < this.#hurriedUntil;
  }

  async #takeTurn(turn: AbortSignal): Promise<void> {
    try {
      await this.#followAlone(turn);
    } catch (error) {
      if (turn.aborted) return;
      await pause(this.#failures.add(error), turn);
    }
  }

  async #followAlone(turn: AbortSignal): Promise<void> {
    const { holder } = this.parts;
    if (!holder) return this.#follow(turn);
    const lost = () => this.interrupt();
    if (await underLease(holder, this.taker.lease, () => this.#follow(turn), lost)) return;
    // Another process holds the lease: its failures and its position count, not those of this one.
    this.#failures.wentWell();
    this.taker.forget();
    await pause(holder.ttlMs / LOOKS, turn);
  }

  async #follow(turn: AbortSignal): Promise<void> {
    await this.taker.load();
    if (!(await this.#catchUp(turn))) return;
    this.#failures.wentWell();
    this.#follows = true;
    try {
      for await (const batch of this.parts.reader.follow(this.taker.reached, turn)) {
        if (turn.aborted || !(await this.taker.take(batch))) return;
        this.#failures.wentWell();
        if (batch.length < FULL_ENOUGH) await this.#gather(turn);
      }
    } finally {
      this.#follows = false;
    }
  }

  /** Events that arrive during this wait are taken as one page. */
  async #gather(turn: AbortSignal): Promise<void> {
    if (this.#isHurried || turn.aborted) return;
    await somethingNew(this.#hurry, this.#hurry.count, this.parts.holder ? SHARED_GATHER_MS : GATHER_MS);
  }

  /** False if the turn is over. */
  async #catchUp(turn: AbortSignal): Promise<boolean> {
    for (;;) {
      const page = await this.parts.reader.pageAfter(this.taker.reached);
      if (turn.aborted) return false;
      if (page.length === 0) return true;
      if (!(await this.taker.take(page))) return false;
      this.#failures.wentWell();
      await this.taker.pageTaken?.();
      // Other work of the process runs here, and other loops read the same page.
      await setImmediate();
    }
  }
}
