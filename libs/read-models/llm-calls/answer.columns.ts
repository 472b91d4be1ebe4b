import type { RecordedBody } from '#lib/call-rules';
import { freeText, mark, nullable, optional, plain, time, word } from '../store/columns.js';

/** Columns of the answer of a model or a webhook. The body of the answer is in the log. */
export const answerColumns = {
  /** Null before an answer. */
  response_status: nullable(plain('integer')),
  /** Present if the body was cut off, too large, or could not be decoded: then it is the received part, at most 1 MiB, before content decoding. */
  response_incomplete: mark,
  /** Present if the bytes are not UTF-8, or are still content-encoded. */
  response_encoding: optional(word<'base64'>()),
  duration_ms: nullable(plain('double precision')),
  error: nullable(freeText),
  completed_at: optional(time),
} as const;

/** The columns of a received answer, whole or in part. */
export function received(
  reply: { readonly status: number; readonly body: RecordedBody } | undefined,
  responseIncomplete: boolean,
) {
  const isEncoded = reply?.body.encoding === 'base64';
  return {
    responseStatus: reply?.status ?? null,
    responseIncomplete,
    ...(isEncoded && { responseEncoding: 'base64' as const }),
  };
}
