import { thrownText } from '#lib/kernel';
import { EventNotProjected } from './event-not-projected.js';
import type { ProjectionFailure } from './projection-status.js';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** The longest pause after a failure without an event: it is temporary. */
const LAST_OUTAGE_RETRY_MS = 1_000;

/** Attempts at an event before it counts as refused: the last is 1.75 s after the first, and meanwhile another process has looked for the lease. */
const REFUSED_AFTER = 4;

/** The successive failures of one taker of events, and the pause before its next attempt. */
export class Failures {
  #count = 0;
  #last: ProjectionFailure | undefined;
  /** Attempts at the event of the last failure. */
  #refusals = 0;

  /** @param onStopped called once for each failure, and not for its repetitions */
  constructor(private readonly onStopped: (failure: ProjectionFailure) => void) {}

  /** The failure that stops the taker; absent while there is none. */
  get last(): ProjectionFailure | undefined {
    return this.#last;
  }

  /** The failure at an event that is refused after retries: a first failure may be temporary. */
  get refusal(): ProjectionFailure | undefined {
    return this.#refusals >= REFUSED_AFTER && this.#last?.position !== undefined ? this.#last : undefined;
  }

  /** @returns milliseconds until the next attempt: more after each failure in a row */
  add(error: unknown): number {
    const failure = failureOf(error);
    const isNew = failure.message !== this.#last?.message;
    this.#refusals = failure.position === this.#last?.position ? this.#refusals + 1 : 1;
    this.#last = failure;
    if (isNew) this.onStopped(failure);
    const longest = error instanceof EventNotProjected ? LAST_RETRY_MS : LAST_OUTAGE_RETRY_MS;
    const delay = Math.min(FIRST_RETRY_MS * 2 ** this.#count, longest);
    this.#count += 1;
    return delay;
  }

  /** Events were taken, or none were left. */
  wentWell(): void {
    this.#last = undefined;
    this.#count = 0;
  }
}

function failureOf(error: unknown): ProjectionFailure {
  const message = thrownText(error);
  if (!(error instanceof EventNotProjected)) return { message };
  const { eventId, type, stream, revision, position } = error.event;
  return { message, eventId, type, stream, revision, position };
}
