const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * When a timer or a time-out is due, in whole epoch milliseconds; `Infinity`, which never comes, after the year 9999.
 * @param until the instant, of a timer that has one
 */
export function dueAfter(occurredAt: string, afterMs: number, until?: string): number {
  const dueAt = until === undefined ? Date.parse(occurredAt) + Math.max(0, afterMs) : Date.parse(until);
  return dueOrNever(Math.ceil(dueAt));
}

/** This due time in epoch milliseconds; `Infinity`, which never comes, after the year 9999: a date does not hold every later time. */
export function dueOrNever(dueAt: number): number {
  return dueAt <= LAST_TIME ? dueAt : Infinity;
}
