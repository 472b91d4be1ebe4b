type Headers = { readonly [name: string]: string };

/**
 * Milliseconds that a reply asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date, counted from `occurredAt`.
 * `undefined` where neither can be read.
 */
export function retryAfterMs(headers: Headers, occurredAt: string): number | undefined {
  const { 'retry-after-ms': inMs, 'retry-after': after } = headers;
  return amount(inMs, 1) ?? amount(after, 1_000) ?? untilDate(after, occurredAt);
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
