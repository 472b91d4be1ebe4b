import { setImmediate } from 'node:timers/promises';
import { type LeaseHolder, underLease } from '#lib/workflow';
import { EventNotProjected } from './event-not-projected.js';
import type { EventTaker } from './event-taker.js';
import type { LogReader } from './log-reader.js';
import { pause } from './pause.js';
import type { ProjectionFailure } from './projection-status.js';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** A failure that no event causes is temporary. */
const LAST_OUTAGE_RETRY_MS = 1_000;

/** Tries of an event: before the last one, 1.75 s after the first, another process has looked whether the lease is free. */
const REFUSED_AFTER = 4;

/** How often within the life of a lease a loop looks whether it has become free. */
const LOOKS = 5;

/** The parts of a loop. With a lease, it takes no turn while another process holds it. */
interface LoopParts {
  readonly reader: LogReader;
  readonly holder: LeaseHolder | undefined;
  /** Called once for each failure, and not again while it lasts. */
  readonly onStopped: (name: string, failure: ProjectionFailure) => void;
}

/**
 * Follows the log for one taker of events until it is stopped. Each turn starts from the stored checkpoint; a turn ends when
 * another runner was first, when the turn is interrupted, or when something fails, and then the next one waits longer each
 * time nothing came of it. A turn that ends gives the lease back: another process may do better.
 */
export class ProjectionLoop<Taker extends EventTaker = EventTaker> {
  #turn = new AbortController();
  #stopped = false;
  #failures = 0;
  #failure: ProjectionFailure | undefined;
  /** Tries of the event of the failure. */
  #refusals = 0;

  constructor(
    readonly taker: Taker,
    private readonly parts: LoopParts,
  ) {}

  /** Why it is stopped; absent while it runs. */
  get failure(): ProjectionFailure | undefined {
    return this.#failure;
  }

  /** The failure at an event that was tried again and is still refused: a first failure may be over soon. */
  get refusal(): ProjectionFailure | undefined {
    return this.#refusals >= REFUSED_AFTER && this.#failure?.position !== undefined
      ? this.#failure
      : undefined;
  }

  /** Resolves once it was stopped. Never rejects: what goes wrong is its `failure`. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      this.#turn = new AbortController();
      await this.#takeTurn(this.#turn.signal);
    }
  }

  /** Reads the checkpoint again and continues from there at once, after the batch that is being written. */
  interrupt(): void {
    this.#turn.abort();
  }

  /** The rows begin again from the start of the log. */
  rewound(): void {
    this.taker.forget();
    this.#failure = undefined;
    this.interrupt();
  }

  stop(): void {
    this.#stopped = true;
    this.#turn.abort();
  }

  async #takeTurn(turn: AbortSignal): Promise<void> {
    try {
      await this.#followAlone(turn);
    } catch (error) {
      if (turn.aborted) return;
      this.#fail(failureOf(error));
      const longest = error instanceof EventNotProjected ? LAST_RETRY_MS : LAST_OUTAGE_RETRY_MS;
      const delay = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, longest);
      this.#failures += 1;
      await pause(delay, turn);
    }
  }

  #fail(failure: ProjectionFailure): void {
    const isNew = failure.message !== this.#failure?.message;
    this.#refusals = failure.position === this.#failure?.position ? this.#refusals + 1 : 1;
    this.#failure = failure;
    if (isNew) this.parts.onStopped(this.taker.name, failure);
  }

  async #followAlone(turn: AbortSignal): Promise<void> {
    const { holder } = this.parts;
    if (!holder) return this.#follow(turn);
    const lost = () => this.interrupt();
    if (await underLease(holder, this.taker.lease, () => this.#follow(turn), lost)) return;
    // Another process holds the lease: its failures and its position count, not those of this process.
    this.#wentWell();
    this.taker.forget();
    await pause(holder.ttlMs / LOOKS, turn);
  }

  async #follow(turn: AbortSignal): Promise<void> {
    await this.taker.load();
    if (!(await this.#catchUp(turn))) return;
    this.#wentWell();
    for await (const batch of this.parts.reader.follow(this.taker.reached, turn)) {
      if (turn.aborted || !(await this.taker.take(batch))) return;
      this.#wentWell();
    }
  }

  /** False when the turn is over. */
  async #catchUp(turn: AbortSignal): Promise<boolean> {
    for (;;) {
      const page = await this.parts.reader.pageAfter(this.taker.reached);
      if (turn.aborted) return false;
      if (page.length === 0) return true;
      if (!(await this.taker.take(page))) return false;
      this.#wentWell();
      await this.taker.pageTaken?.();
      // The rest of the process wants to run too, and the other projections to read the same page.
      await setImmediate();
    }
  }

  #wentWell(): void {
    this.#failure = undefined;
    this.#failures = 0;
  }
}

function failureOf(error: unknown): ProjectionFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof EventNotProjected)) return { message };
  const { eventId, type, stream, revision, position } = error.event;
  return { message, eventId, type, stream, revision, position };
}
