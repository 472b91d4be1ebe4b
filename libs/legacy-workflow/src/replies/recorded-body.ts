/** A body as it came, after content decoding, known secrets replaced. */
export interface RecordedBody {
  /** `base64` where the bytes are not UTF-8. */
  readonly encoding: 'utf8' | 'base64';
  readonly content: string;
  /** SHA-256 of `content` as UTF-8. */
  readonly sha256: string;
}
