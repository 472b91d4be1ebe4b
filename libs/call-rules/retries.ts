import type { RecordedReply } from './recorded-reply.js';

/** Whether the same request may be sent again after this status, if retries are switched on. */
export function isWorthAnotherAttempt(status: number): boolean {
  return status === 429 || status >= 500;
}

/**
 * The wait that a reply asks for, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as a date, counted from `occurredAt`. Empty if
 * neither can be read.
 * @param occurredAt of the reply, ISO 8601
 */
export function waitAskedBy(
  { 'retry-after-ms': inMs, 'retry-after': after }: RecordedReply['responseHeaders'],
  occurredAt: string,
): { retryAfterMs?: number } {
  const retryAfterMs = amount(inMs, 1) ?? amount(after, 1_000) ?? untilDate(after, occurredAt);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

const MOST_AMOUNT = 999_999_999;

/**
 * `waitAskedBy`, but an amount of more than nine digits counts as 999,999,999. Rules that read recorded replies keep `waitAskedBy`, so that
 * histories replay as they were recorded.
 */
export function longWaitAskedBy(
  headers: RecordedReply['responseHeaders'],
  occurredAt: string,
): { retryAfterMs?: number } {
  const bounded = Object.entries(headers).map(([name, text]) => [name, boundedAmount(text)]);
  return waitAskedBy(Object.fromEntries(bounded), occurredAt);
}

function boundedAmount(text: string): string {
  return /^\d{10,}$/.test(text) ? String(Math.min(Number(text), MOST_AMOUNT)) : text;
}

function amount(text: string | undefined, unitMs: number): number | undefined {
  if (text === undefined || !/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined;
  return Math.ceil(Number(text) * unitMs);
}

/** The form of HTTP dates: `Wed, 21 Oct 2026 07:28:00 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function untilDate(text: string | undefined, occurredAt: string): number | undefined {
  if (text === undefined || !HTTP_DATE.test(text)) return undefined;
  const waitMs = Date.parse(text) - Date.parse(occurredAt);
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
