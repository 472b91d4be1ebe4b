/** The longest a timer can wait. */
export const LONGEST_MS = 2 ** 31 - 1;

/** Starts to measure. The answer is whole milliseconds since then, by a clock that never jumps. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
}

/** Does work under a signal that aborts with another one, or after `timeoutMs`, whichever comes first; never after the work. */
export function withTimeLimit<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  return withLinkedSignal(signal, async (linked, abort) => {
    const timer = setTimeout(abort, Math.min(timeoutMs, LONGEST_MS));
    try {
      return await work(linked);
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Does work under a signal of its own that follows another one only while the work lasts: the other one may live as long
 * as the process, and its listeners would live as long.
 */
export async function withLinkedSignal<T>(
  signal: AbortSignal,
  work: (linked: AbortSignal, abort: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await work(controller.signal, abort);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
