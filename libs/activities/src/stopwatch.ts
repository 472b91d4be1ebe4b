/** Starts to measure. The answer is whole milliseconds since then, by a clock that never jumps. */
export function stopwatch(): () => number {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
}
