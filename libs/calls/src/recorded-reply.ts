import type { RecordedBody } from './recorded-body.js';

/** An HTTP reply of any status, as outcomes hold it. */
export type RecordedReply = {
  readonly status: number;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly responseHeaders: { readonly [name: string]: string };
  readonly body: RecordedBody;
  readonly durationMs: number;
};

/**
 * The received part of a reply that is incomplete or cannot be decoded, as failed outcomes hold it.
 * `body` holds the bytes as received, before content decoding: the first 1 MiB at most.
 */
export type ReceivedReply = Pick<RecordedReply, 'status' | 'responseHeaders' | 'body'>;
