import type { ReceivedReply } from '#lib/calls';
import { recordedBytes, redactedBody } from './recorded-body.js';
import type { Redactor } from '../redaction/redactor.js';
import { encodingOf, MAX_RECEIVED_BYTES } from './decode-content.js';
import { IncompleteReply } from './http-exchange.js';
import { recordedReplyHeaders } from './recorded-headers.js';

/** The member of a failed outcome that says what was received before the exchange failed with this error. */
export async function receivedReply(
  error: unknown,
  redactor: Redactor,
): Promise<{ readonly received?: ReceivedReply }> {
  if (!(error instanceof IncompleteReply)) return {};
  const { status, headers, body } = error.received;
  const encoding = encodingOf(headers);
  const isPlain = encoding === 'identity';
  // A secret may stand across the border, so plain bytes are cut after the redaction.
  const bytes = isPlain
    ? await redactedBody(body, redactor, { isCut: true })
    : await redactedBody(body.subarray(0, MAX_RECEIVED_BYTES), redactor, { encoding, isCut: true });
  const received = {
    status,
    responseHeaders: recordedReplyHeaders(headers, redactor),
    body: recordedBytes(bytes.subarray(0, MAX_RECEIVED_BYTES), isPlain),
  };
  return { received };
}
