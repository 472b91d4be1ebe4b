import { MAX_REPLY_BYTES } from './byte-limits.js';

/** A reply was received and is unusable. */
export class UnusableReply extends Error {
  override readonly name = 'UnusableReply';

  static tooLarge(): UnusableReply {
    return new UnusableReply(`The reply is larger than ${MAX_REPLY_BYTES} bytes.`);
  }
}
