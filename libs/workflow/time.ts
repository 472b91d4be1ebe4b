import type { Clock } from '#lib/kernel';

/** The only source of time of the runtime; tests replace it. */
export interface Time extends Clock {
  /** Milliseconds that only grow, from an unknown start. Leases are measured by it, because clocks are set now and then. */
  monotonicMs(): number;
  /** Calls back once, after at least this time or after about 24 days. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest wait of a timer: with a longer delay `setTimeout` fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock and the timers of the process. */
export const systemTime: Time = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Waits until all have settled, or for this time. */
export async function settledWithin(
  all: ReadonlySet<Promise<unknown>>,
  withinMs: number,
  time: Time,
): Promise<void> {
  if (all.size === 0) return;
  let callOff = () => {};
  const patience = new Promise<void>((resolve) => {
    callOff = time.after(withinMs, resolve);
  });
  await Promise.race([Promise.allSettled(all), patience]);
  callOff();
}
