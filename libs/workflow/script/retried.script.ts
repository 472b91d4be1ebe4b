import { sha256 } from '#lib/kernel';
import { within } from './branches.script.js';
import { done } from './done.script.js';
import type { StepFailed } from './failures.js';
import { helper, here, type Named, type Script, type Steps } from './script.js';
import { type Tried, tried, valueOf } from './tried.js';

/** Interruptions of one call after which it is treated as failed. They do not count as attempts. */
export const MOST_INTERRUPTIONS = 3;

const LONGEST_DELAY_MS = 30_000;

/** The delay that the other side asks for, else half a second before the second attempt, doubled for each one after it. */
export function delayBefore(attempt: number, retryAfterMs?: number): number {
  const backoff = attempt === 1 ? 0 : 500 * 2 ** (attempt - 2);
  return Math.min(retryAfterMs ?? backoff, LONGEST_DELAY_MS);
}

const FIRST_SPREAD_MS = 500;

/**
 * The wait after the n-th failure of calls that many runs make: anything up to half a second, doubled each time (full jitter). It follows from the id
 * of the call, so that replay waits as long, and calls that failed together come back apart.
 */
export function spreadDelay(failures: number, callId: string): number {
  const most = Math.min(FIRST_SPREAD_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  const share = parseInt(sha256(callId).slice(0, 8), 16) / 2 ** 32;
  return Math.floor(share * most);
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
  /** Default: after a failure there is no other attempt. */
  readonly pauses?: Pauses<Failed>;
  /** Decides about an interrupted call that is not safe to repeat; `again`: it is made again all the same. Default: it has failed. */
  readonly unsafe?: 'again' | ((failed: Failed) => Script<Attempted<Result, Failed>>);
  /** Of the same work before this call. */
  readonly interruptions?: number;
}

/** The waits between attempts. */
export interface Pauses<Failed extends Failing> {
  /** After the n-th failure, of which interruptions are none. */
  readonly after: (failures: number, failed: Failed, attempt: number) => Pause;
  /** The id of the wait before an attempt. */
  readonly id: (attempt: number) => string;
}

/**
 * Makes a call until there is a result, or a failure after which it is not made again: the attempts, the waits between them, and
 * attempts whose outcome is unknown, which are made again at once if that is safe.
 */
export function* attempts<Result, Failed extends Failing>({
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

/** The last attempt. */
interface Attempt {
  readonly attempt: number;
  /** So far. */
  readonly interruptions: number;
}

/** Whether an interrupted call is made again. */
function* repeated<Result, Failed extends Failing>(
  failed: Failed,
  unsafe: Attempts<Result, Failed>['unsafe'],
): Steps<Attempted<Result, Failed>> {
  if (failed.retryable || unsafe === 'again') return { again: true };
  return unsafe ? yield* unsafe(failed) : { failed };
}

/** Up to `most` failures that allow it, with `delayBefore` between them. */
export function delayed<Failed extends Failing>(
  most: number,
  again: (failed: Failed) => boolean = ({ retryable }) => retryable,
): Pauses<Failed>['after'] {
  return (failures, failed) => {
    // NaN is no number of attempts: none follows.
    if (!(failures < most) || !again(failed)) return 'never';
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
        pauses: { after: delayed(most, again), id: (attempt) => `${name}/pause#${attempt}` },
      }),
    );
  });
}
