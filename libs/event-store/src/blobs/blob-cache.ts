/** Of all texts together: two bytes each in memory. */
const MOST_CHARACTERS = 16_777_216;

/**
 * The texts of blobs that were read last. A name is the hash of its text, so nothing here grows stale; what is damaged in the
 * store is found when it is next read from there.
 */
export class BlobCache {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(private readonly most = MOST_CHARACTERS) {}

  get(sha256: string): string | undefined {
    const text = this.#texts.get(sha256);
    if (text !== undefined) this.keep(sha256, text);
    return text;
  }

  /** The text is what is used last; what was used longest ago goes where there is no room. */
  keep(sha256: string, text: string): void {
    if (this.#texts.delete(sha256)) this.#characters -= text.length;
    if (text.length > this.most) return;
    this.#texts.set(sha256, text);
    this.#characters += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.most) return;
      this.#texts.delete(oldest);
      this.#characters -= length;
    }
  }
}
