import { excerpt } from './excerpt.js';
import { withoutByteOrderMark } from './parse-reply-json.js';
import type { RecordedReply } from './recorded-reply.js';
import { isWorthAnotherAttempt, waitAskedBy } from './retries.js';

/** The members of a stored reply that reading it needs. */
export type StoredReply = Pick<RecordedReply, 'status' | 'body' | 'responseHeaders'>;

/** A webhook answered, and its reply is unusable. */
export interface RefusedReply {
  readonly kind: 'failed';
  readonly failure: {
    readonly kind: 'http-error' | 'unusable-reply';
    readonly message: string;
    readonly upstreamStatus: number;
  };
  /** Whether the same request may be sent again, if retries are switched on. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next request, if the other side names them. */
  readonly retryAfterMs?: number;
}

/** The text of a webhook's stored reply. Redirects and asynchronous answers are not supported. */
export function readWebhookText(
  reply: StoredReply,
  occurredAt: string,
): { readonly kind: 'text'; readonly text: string } | RefusedReply {
  const { status, body } = reply;
  if (status === 202)
    return unusableReply(reply, `${errorOf(status)}: asynchronous answers are not supported`);
  if (status < 200 || status > 299) return httpError(reply, occurredAt);
  if (body.encoding !== 'utf8') return unusableReply(reply, 'The reply of the webhook is not UTF-8 text');
  return { kind: 'text', text: withoutByteOrderMark(body.content) };
}

/** The failure of a complete reply without usable content. The same request would get the same reply. */
export function unusableReply({ status }: StoredReply, message: string): RefusedReply {
  return {
    kind: 'failed',
    failure: { kind: 'unusable-reply', message, upstreamStatus: status },
    retryable: false,
  };
}

function httpError({ status, body, responseHeaders }: StoredReply, occurredAt: string): RefusedReply {
  const redirect = status >= 300 && status <= 399 ? ', and redirects are not followed' : '';
  const said = body.content === '' ? '' : `: ${excerpt(body.content)}`;
  const message = `${errorOf(status)}${redirect}${said}`;
  return {
    kind: 'failed',
    failure: { kind: 'http-error', message, upstreamStatus: status },
    retryable: isWorthAnotherAttempt(status),
    ...waitAskedBy(responseHeaders, occurredAt),
  };
}

function errorOf(status: number): string {
  return `Webhook error (${status})`;
}
