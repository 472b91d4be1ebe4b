import { within } from './branches.script.js';
import type { StepFailed } from './failures.js';
import { done, helper, here, type Named, type Script, type Steps } from './script.js';
import { type Tried, tried, valueOf } from './tried.js';

/** Interruptions of one call after which it is treated as failed. They do not count as attempts. */
export const MOST_INTERRUPTIONS = 3;

const LONGEST_DELAY_MS = 30_000;

/** The delay that the other side asks for, else half a second before the second attempt, doubled for each one after it. */
export function delayBefore(attempt: number, retryAfterMs?: number): number {
  const backoff = attempt === 1 ? 0 : 500 * 2 ** (attempt - 2);
  return Math.min(retryAfterMs ?? backoff, LONGEST_DELAY_MS);
}

/** A failure of an attempt. */
export interface Failing {
  /** `interrupted`: the outcome is unknown. */
  readonly kind: string;
  /** Whether another attempt may succeed; of an interrupted call, whether it is safe. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The call itself was not made: its number is used again. */
  readonly isUnmade?: boolean;
}

/** The outcome of an attempt. `again`: another one is made at once, and this one does not count. */
export type Attempted<Result, Failed> = Tried<Result, Failed> | { readonly again: true };

/** The reaction to a failure: a wait in milliseconds before another attempt, another attempt at once, or none. */
export type Pause = number | 'at-once' | 'never';

/** Attempts of one call, and how they follow each other. */
export interface Attempts<Result, Failed extends Failing> {
  /** The number of the first. Default: 1. */
  readonly first?: number;
  readonly call: (attempt: number) => Script<Attempted<Result, Failed>>;
  /** After the n-th failure, of which interruptions are none. */
  readonly pause: (failures: number, failed: Failed, attempt: number) => Pause;
  /** The id of the wait before an attempt. */
  readonly pauseId: (attempt: number) => string;
  /** Decides about an interrupted call that is not safe to repeat. Default: it has failed. */
  readonly unsafe?: (failed: Failed) => Script<Attempted<Result, Failed>>;
}

/**
 * Makes a call until there is a result, or a failure after which it is not made again: the attempts, the waits between them, and
 * attempts whose outcome is unknown, which are made again at once if that is safe.
 */
export function* attempts<Result, Failed extends Failing>({
  first = 1,
  call,
  pause,
  pauseId,
  unsafe,
}: Attempts<Result, Failed>): Steps<Tried<Result, Failed> & { readonly attempt: number }> {
  let [failures, interruptions] = [0, 0];
  for (let attempt = first; ; attempt++) {
    const made = yield* call(attempt);
    if ('again' in made) continue;
    if ('value' in made) return { ...made, attempt };
    const { failed } = made;
    if (failed.kind === 'interrupted') {
      interruptions++;
      if (interruptions >= MOST_INTERRUPTIONS) return { ...made, attempt };
      if (!failed.retryable) {
        if (!unsafe) return { ...made, attempt };
        const decided = yield* unsafe(failed);
        if (!('again' in decided)) return { ...decided, attempt };
      }
      if (failed.isUnmade) attempt--;
      continue;
    }
    failures++;
    const afterMs = pause(failures, failed, attempt);
    if (afterMs === 'never') return { ...made, attempt };
    if (afterMs !== 'at-once') yield* done({ do: 'timer', id: pauseId(attempt + 1), afterMs });
  }
}

/** Up to `most` failures that allow it, with `delayBefore` between them. */
export function delayed<Failed extends Failing>(
  most: number,
  again: (failed: Failed) => boolean = ({ retryable }) => retryable,
): Attempts<unknown, Failed>['pause'] {
  return (failures, failed) => {
    if (failures >= most || !again(failed)) return 'never';
    const afterMs = delayBefore(failures + 1, failed.retryAfterMs);
    return afterMs > 0 ? afterMs : 'at-once';
  };
}

/** How often a step is tried. */
export interface Retry {
  /** At most, the first included. Default: 1. */
  readonly attempts?: number;
  /** Whether to try again after this failure. Default: if it is `retryable`. */
  readonly again?: (failed: StepFailed) => boolean;
}

/** A script that is tried more than once. */
export interface Retried<Result> extends Named, Retry {
  readonly attempts: number;
  /** @param attempt from 1 */
  readonly call: (attempt: number) => Script<Result>;
}

/**
 * Runs a script again while it fails, with a wait before each further attempt: half a second, doubled each time, or as long as the other
 * side asks, 30 s at most. An interrupted step is done again at once, if that is safe, and does not count.
 * @throws StepFailed of the last attempt
 */
export function retried<Result>({ attempts: most, again, call, id }: Retried<Result>): Script<Result> {
  return helper(retried, function* () {
    const name = (yield* here()).name('retried', id);
    return yield* valueOf(
      attempts<Result, StepFailed>({
        call: (attempt) => tried(within(`${name}/${attempt}`, call(attempt))),
        pause: delayed(most, again),
        pauseId: (attempt) => `${name}/pause#${attempt}`,
      }),
    );
  });
}
