import type { RecordedBody } from './recorded-body.js';

/** An HTTP reply as outcomes hold it, whatever its status. */
export interface RecordedReply {
  readonly status: number;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly responseHeaders: { readonly [name: string]: string };
  readonly body: RecordedBody;
  readonly durationMs: number;
}
