/** For each text, without the text and its encrypted form: keys of the map and members of an entry. */
const ENTRY_BYTES = 200;
const MOST_BYTES = 4 * 1024 * 1024;

interface Recent {
  readonly key: object;
  /** Where the text stands: it is found nowhere else. */
  readonly place: string;
  readonly text: string;
}

/**
 * Texts that this process encrypted last, by their encrypted form: rows are made of them a moment later, without a cipher.
 * Of one key there are none once the key leaves memory.
 */
export class RecentTexts {
  readonly #texts = new Map<string, Recent>();
  #bytes = 0;

  keep(encrypted: string, recent: Recent): void {
    const bytes = bytesOf(encrypted, recent);
    if (bytes > MOST_BYTES / 4 || this.#texts.has(encrypted)) return;
    this.#texts.set(encrypted, recent);
    this.#bytes += bytes;
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#delete(oldest);
    }
  }

  find(encrypted: string, key: object, place: string): string | undefined {
    const recent = this.#texts.get(encrypted);
    return recent?.key === key && recent.place === place ? recent.text : undefined;
  }

  forget(key: object): void {
    for (const [encrypted, recent] of this.#texts) if (recent.key === key) this.#delete(encrypted);
  }

  #delete(encrypted: string): void {
    const recent = this.#texts.get(encrypted);
    if (recent) this.#bytes -= bytesOf(encrypted, recent);
    this.#texts.delete(encrypted);
  }
}

/** Two bytes for each character at most. */
function bytesOf(encrypted: string, { place, text }: Recent): number {
  return ENTRY_BYTES + 2 * (encrypted.length + place.length + text.length);
}
