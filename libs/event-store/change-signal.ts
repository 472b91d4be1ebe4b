/** Wakes the subscriptions of one store when its log may have grown, and ends them when it closes. */
export class ChangeSignal {
  #count = 0;
  #ended = false;
  readonly #waiting = new Set<() => void>();

  /** The number of announcements. Take it before a read: no later announcement is missed then. */
  get count(): number {
    return this.#count;
  }

  get ended(): boolean {
    return this.#ended;
  }

  announce(): void {
    this.#count += 1;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  end(): void {
    this.#ended = true;
    this.announce();
  }

  /** Resolves once the count differs from `count`, the signal aborts, or `end` was called. */
  async after(count: number, signal: AbortSignal): Promise<void> {
    if (this.#count !== count || this.#ended || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}
