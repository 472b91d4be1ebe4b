/** Bytes of a reply, as sent and after content decoding. */
export const MAX_REPLY_BYTES = 10 * 1024 * 1024;

/** A reply that came and cannot be taken. */
export class UnusableReply extends Error {
  override readonly name = 'UnusableReply';

  static tooLarge(): UnusableReply {
    return new UnusableReply(`The reply is larger than ${MAX_REPLY_BYTES} bytes.`);
  }
}
