/** A body as it came, known secrets replaced. That of a whole reply is stored after content decoding. */
export type RecordedBody = {
  /** `base64` where the bytes are not UTF-8, or are content-encoded. */
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
  /** SHA-256 of `content` as UTF-8. */
  readonly sha256: string;
};
