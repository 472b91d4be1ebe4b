import { thrownText } from '#lib/kernel';
import { EventNotProjected } from './event-not-projected.js';
import type { ProjectionFailure } from './projection-status.js';

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** A failure that no event causes is temporary. */
const LAST_OUTAGE_RETRY_MS = 1_000;

/** Tries of an event: before the last one, 1.75 s after the first, another process has looked whether the lease is free. */
const REFUSED_AFTER = 4;

/** The failures of one taker of events in a row, and the pause before its next attempt. */
export class Failures {
  #count = 0;
  #last: ProjectionFailure | undefined;
  /** Tries of the event of the failure. */
  #refusals = 0;

  /** @param onStopped called once for each failure, and not again while it lasts */
  constructor(private readonly onStopped: (failure: ProjectionFailure) => void) {}

  /** Why nothing is taken; absent while it goes well. */
  get last(): ProjectionFailure | undefined {
    return this.#last;
  }

  /** The failure at an event that was tried again and is still refused: a first failure may be over soon. */
  get refusal(): ProjectionFailure | undefined {
    return this.#refusals >= REFUSED_AFTER && this.#last?.position !== undefined ? this.#last : undefined;
  }

  /** @returns milliseconds until the next try: more each time nothing came of it */
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

  /** Some events were taken, or there are none to take. */
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
