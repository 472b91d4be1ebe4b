/** The values that were set last, by key, at most so many: what follows from a key alone need not be computed again. */
export class Newest<Key, Value> {
  readonly #values = new Map<Key, Value>();

  constructor(private readonly most: number) {}

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.most) return;
      this.#values.delete(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
  }
}
