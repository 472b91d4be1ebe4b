import { withLinkedSignal } from './linked-signal.js';

/** The longest a timer can wait. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Does work under a signal that comes with another one, or after `timeoutMs`, whichever is first, and not after the work. */
export function withTimeLimit<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  return withLinkedSignal(signal, async (linked) => {
    const limit = new AbortController();
    const giveUp = () => limit.abort();
    linked.addEventListener('abort', giveUp);
    if (linked.aborted) giveUp();
    const timer = setTimeout(giveUp, Math.min(timeoutMs, LONGEST_MS));
    try {
      return await work(limit.signal);
    } finally {
      clearTimeout(timer);
    }
  });
}
