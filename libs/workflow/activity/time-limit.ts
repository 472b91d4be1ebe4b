import { LONGEST_TIMER_MS } from '../time.js';

/** Starts a measurement. The returned function gives the whole milliseconds since then, by a clock that never jumps. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
}

/** Does work under a signal that aborts when the other signal does, or after `timeoutMs`. It does not abort after the work is done. */
export function withTimeLimit<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  return withLinkedSignal(signal, async (linked, abort) => {
    const late = () => abort(new Error(`It took longer than ${timeoutMs} ms.`));
    const timer = setTimeout(late, Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      return await work(linked);
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Does work under a signal that follows another one only while the work lasts. The other signal may live as long as the process, and so would
 * listeners on it.
 */
export async function withLinkedSignal<T>(
  signal: AbortSignal,
  work: (linked: AbortSignal, abort: (reason?: Error) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow);
  try {
    return await work(controller.signal, (reason) => controller.abort(reason));
  } finally {
    signal.removeEventListener('abort', follow);
  }
}

/**
 * Waits for work that may never settle, such as an event of a socket. Rejects with the signal's reason once the signal aborts; the work is not
 * waited for after that.
 */
export async function settledBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave);
  });
  if (signal.aborted) leave();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
