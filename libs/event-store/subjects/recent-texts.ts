/** For each text, without the text and its encrypted form: keys of the maps and members of an entry. */
const ENTRY_BYTES = 250;
const MOST_BYTES = 4 * 1024 * 1024;

interface Recent {
  readonly key: object;
  /** Where the text stands: it is found nowhere else. */
  readonly place: string;
  readonly text: string;
}

/**
 * Texts that this process encrypted last, by their encrypted form: rows are made of them a moment later, without a cipher.
 * Only keys that are held in memory have some: a call that still uses a key that has left keeps nothing here.
 */
export class RecentTexts {
  readonly #texts = new Map<string, Recent>();
  readonly #ofKeys = new Map<object, Set<string>>();
  #bytes = 0;

  /** Texts of this key are kept from here on, until `forget`. */
  hold(key: object): void {
    this.#ofKeys.set(key, new Set());
  }

  keep(encrypted: string, recent: Recent): void {
    const bytes = bytesOf(encrypted, recent);
    const ofKey = this.#ofKeys.get(recent.key);
    if (!ofKey || bytes > MOST_BYTES / 4 || this.#texts.has(encrypted)) return;
    ofKey.add(encrypted);
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
    for (const encrypted of this.#ofKeys.get(key) ?? []) this.#delete(encrypted);
    this.#ofKeys.delete(key);
  }

  #delete(encrypted: string): void {
    const recent = this.#texts.get(encrypted);
    if (!recent) return;
    this.#bytes -= bytesOf(encrypted, recent);
    this.#texts.delete(encrypted);
    this.#ofKeys.get(recent.key)?.delete(encrypted);
  }
}

/** Two bytes for each character at most. */
function bytesOf(encrypted: string, { place, text }: Recent): number {
  return ENTRY_BYTES + 2 * (encrypted.length + place.length + text.length);
}
