import type { HttpReply } from './http-exchange.js';

/** A reply that came in part, is too large, or cannot be decoded. */
export class IncompleteReply extends Error {
  override readonly name = 'IncompleteReply';

  /**
   * @param cause why it cannot be taken: UnusableReply, or the transport's own error
   * @param received its body holds the bytes as received, before content decoding
   */
  constructor(
    override readonly cause: unknown,
    readonly received: HttpReply,
  ) {
    super('The reply cannot be taken.', { cause });
  }
}
