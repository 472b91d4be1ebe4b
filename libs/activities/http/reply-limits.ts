/** The most bytes of a reply, both as sent and after content decoding. */
export const MAX_REPLY_BYTES = 10 * 1024 * 1024;

/** The most bytes that are kept of the body of a failed exchange. */
export const MAX_RECEIVED_BYTES = 1024 * 1024;
