/**
 * Does work under a signal of its own that follows another one only while the work lasts: the other one may live as long
 * as the process, and its listeners would live as long.
 */
export async function withLinkedSignal<T>(
  signal: AbortSignal,
  work: (linked: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await work(controller.signal);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
