import type { RecordedReply } from './recorded-reply.js';

/** Whether the same request may be sent again after this status, where retries are switched on. */
export function isWorthAnotherAttempt(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Only the form in seconds: the other one needs a clock. */
export function retryAfter({ 'retry-after': after }: RecordedReply['responseHeaders']): {
  retryAfterMs?: number;
} {
  return after !== undefined && /^\d{1,6}$/.test(after) ? { retryAfterMs: Number(after) * 1000 } : {};
}

/** Interruptions of one call after which it is treated as failed. They do not count as attempts. */
export const MOST_INTERRUPTIONS = 3;

const LONGEST_DELAY_MS = 30_000;

/** The delay that the other side asks for, else half a second before the second attempt, doubled for each one after it. */
export function delayBefore(attempt: number, retryAfterMs?: number): number {
  const backoff = attempt === 1 ? 0 : 500 * 2 ** (attempt - 2);
  return Math.min(retryAfterMs ?? backoff, LONGEST_DELAY_MS);
}
