import { sha256 } from '#lib/kernel';
import { within } from './branches.script.js';
import { done } from './done.script.js';
import type { StepFailed } from './failures.js';
import { helper, here, type Named, type Place, type Script, type Steps } from './script.js';
import { type Tried, tried, valueOf } from './tried.js';

/** Interruptions of one call after which the call counts as failed. They do not count as attempts. */
export const MOST_INTERRUPTIONS = 3;

const LONGEST_DELAY_MS = 30_000;

/** The delay that the other side asks for. Without one: half a second before the second attempt, doubled for each further one. */
export function delayBefore(attempt: number, retryAfterMs?: number): number {
  const backoff = attempt === 1 ? 0 : 500 * 2 ** (attempt - 2);
  return Math.min(retryAfterMs ?? backoff, LONGEST_DELAY_MS);
}

const FIRST_SPREAD_MS = 500;

/**
 * The wait after the n-th failure of calls that many runs make: a random part of half a second, doubled each time (full jitter). It follows from the
 * id of the call: replay waits as long, and calls that failed together are spread.
 */
export function spreadDelay(failures: number, callId: string): number {
  const most = Math.min(FIRST_SPREAD_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  const share = parseInt(sha256(callId).slice(0, 8), 16) / 2 ** 32;
  return Math.floor(share * most);
}

/** A failure of an attempt. */
export interface FailingAttempt {
  /** `interrupted`: the outcome is unknown. */
  readonly kind: string;
  /** Whether another attempt may succeed. For an interrupted call: whether another attempt is safe. */
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** The call was not made. Its number is used again. */
  readonly isUnmade?: boolean;
}

/** The outcome of an attempt. `again`: another attempt is made at once, and this one does not count. */
export type Attempted<Result, Failed> = Tried<Result, Failed> | { readonly again: true };

/** The reaction to a failure: a wait in milliseconds before another attempt, another attempt at once, or none. */
export type Pause = number | 'at-once' | 'never';

/** The attempts of one call, and the waits between them. */
export interface Attempts<Result, Failed extends FailingAttempt> {
  /** The number of the first attempt. Default: 1. */
  readonly first?: number;
  readonly call: (attempt: number) => Script<Attempted<Result, Failed>>;
  /** Default: after a failure there is no further attempt. */
  readonly pauses?: Pauses<Failed>;
  /** Decides about an interrupted call that is not safe to repeat. `again`: it is made again all the same. Default: it has failed. */
  readonly unsafe?: 'again' | ((failed: Failed) => Script<Attempted<Result, Failed>>);
  /** Interruptions of the same work before this call. */
  readonly interruptions?: number;
}

/** The waits between attempts. */
export interface Pauses<Failed extends FailingAttempt> {
  /** The pause after the n-th failure. Interruptions do not count as failures. */
  readonly after: (failures: number, failed: Failed, attempt: number) => Pause;
  /** The id of the wait before an attempt. */
  readonly id: (attempt: number) => string;
}

/**
 * Makes a call until it has a result, or a failure after which it is not made again. Attempts with an unknown outcome are made again at once if that
 * is safe.
 */
export function* attempts<Result, Failed extends FailingAttempt>({
  first = 1,
  call,
  pauses,
  unsafe,
  interruptions: before = 0,
}: Attempts<Result, Failed>): Steps<Tried<Result, Failed> & Attempt> {
  let [failures, interruptions] = [0, before];
  for (let attempt = first; ; attempt++) {
    const made = yield* call(attempt);
    if ('again' in made) continue;
    if ('value' in made) return { ...made, attempt, interruptions };
    const { failed } = made;
    if (failed.kind === 'interrupted') {
      interruptions++;
      const decided = interruptions < MOST_INTERRUPTIONS ? yield* repeated(failed, unsafe) : made;
      if (!('again' in decided)) return { ...decided, attempt, interruptions };
      if (failed.isUnmade) attempt--;
      continue;
    }
    failures++;
    const afterMs = pauses?.after(failures, failed, attempt) ?? 'never';
    if (afterMs === 'never') return { ...made, attempt, interruptions };
    if (afterMs !== 'at-once') yield* done({ do: 'timer', id: pauses?.id(attempt + 1) ?? '', afterMs });
  }
}

interface Attempt {
  readonly attempt: number;
  /** The number of interruptions so far. */
  readonly interruptions: number;
}

/** Decides about an interrupted call. */
function* repeated<Result, Failed extends FailingAttempt>(
  failed: Failed,
  unsafe: Attempts<Result, Failed>['unsafe'],
): Steps<Attempted<Result, Failed>> {
  if (failed.retryable || unsafe === 'again') return { again: true };
  return unsafe ? yield* unsafe(failed) : { failed };
}

/** Allows up to `most` failures, with `delayBefore` between the attempts. */
export function delayed<Failed extends FailingAttempt>(
  most: number,
  again: (failed: Failed) => boolean = ({ retryable }) => retryable,
): Pauses<Failed>['after'] {
  return (failures, failed) => {
    if (failures >= most || !again(failed)) return 'never';
    const afterMs = delayBefore(failures + 1, failed.retryAfterMs);
    return afterMs > 0 ? afterMs : 'at-once';
  };
}

/** NaN would allow attempts without end. @throws WorkflowBug */
export function mostAttempts(place: Place, attempts: number): number {
  return attempts >= 0
    ? attempts
    : place.broken(`${attempts} is no number of attempts`, 'Write a whole number from 1, such as 3');
}

/** The number of attempts of a step, and the failures after which it is tried again. */
export interface Retry {
  /** The most attempts, with the first. Default: 1. */
  readonly attempts?: number;
  /** Whether to try again after this failure. Default: if the failure is `retryable`. */
  readonly again?: (failed: StepFailed) => boolean;
}

/** A script that is tried more than once. */
export interface Retried<Result> extends Named, Retry {
  readonly attempts: number;
  /** @param attempt from 1 */
  readonly call: (attempt: number) => Script<Result>;
}

/**
 * Runs a script again while it fails, with a wait before each further attempt: half a second, doubled each time, or as long as the other side asks,
 * at most 30 s. An interrupted step is done again at once if that is safe, and does not count.
 * @throws StepFailed of the last attempt
 */
export function retried<Result>({ attempts: most, again, call, id }: Retried<Result>): Script<Result> {
  return helper(retried, function* () {
    const place = yield* here();
    const name = place.name('retried', id);
    return yield* valueOf(
      attempts<Result, StepFailed>({
        call: (attempt) => tried(within(`${name}/${attempt}`, call(attempt))),
        pauses: {
          after: delayed(mostAttempts(place, most), again),
          id: (attempt) => `${name}/pause#${attempt}`,
        },
      }),
    );
  });
}
