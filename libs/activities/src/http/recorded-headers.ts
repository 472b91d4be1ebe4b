import type { IncomingHttpHeaders } from 'node:http';
import { REDACTED, type Redactor } from '../redaction/redactor.js';

type Headers = Readonly<Record<string, string>>;

/** Nothing but these is recorded of a request. `Authorization` says that there was one. */
const REQUEST_HEADERS = ['Accept', 'Authorization', 'Content-Type', 'User-Agent'] as const;

/** Nothing but these, and what begins with `x-ratelimit-`, is recorded of a reply. */
const REPLY_HEADERS = new Set([
  'apim-request-id',
  'cf-ray',
  'content-type',
  'date',
  'openai-processing-ms',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-request-id',
]);

/** Names as HTTP writes them, in a fixed order. */
export function recordedRequestHeaders(sent: Headers, redactor: Redactor): Headers {
  return Object.fromEntries(
    REQUEST_HEADERS.flatMap((name) => {
      const value = sent[name.toLowerCase()];
      if (value === undefined) return [];
      return [[name, name === 'Authorization' ? REDACTED : redactor.text(value)]];
    }),
  );
}

/** Names in lower case, in the order they came. */
export function recordedReplyHeaders(received: IncomingHttpHeaders, redactor: Redactor): Headers {
  return Object.fromEntries(
    Object.entries(received).flatMap(([name, value]) => {
      const chosen = REPLY_HEADERS.has(name) || name.startsWith('x-ratelimit-');
      return chosen && value !== undefined ? [[name, redactor.text([value].flat().join(', '))]] : [];
    }),
  );
}
