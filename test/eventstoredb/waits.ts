const EVERY_MS = 20;

/**
 * Measures waits, also without the lateness of this process: the time by which its timers came late, because it had too much to do
 * or no processor. Where the stand-in runs in this process too, what is left is what the caller waited of its own accord, however
 * busy the machine is.
 */
export class Waits {
  count = 0;
  longestMs = 0;
  longestOnTimeMs = 0;
  #lateMs = 0;
  #due = performance.now() + EVERY_MS;
  readonly #timer = setInterval(() => this.#look(), EVERY_MS);

  async time<T>(work: () => Promise<T>): Promise<T> {
    this.#look();
    const [began, late] = [performance.now(), this.#lateMs];
    const result = await work();
    this.#look();
    const waited = performance.now() - began;
    this.longestMs = Math.max(this.longestMs, waited);
    this.longestOnTimeMs = Math.max(this.longestOnTimeMs, waited - (this.#lateMs - late));
    this.count += 1;
    return result;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    if (now < this.#due) return;
    this.#lateMs += now - this.#due;
    this.#due = now + EVERY_MS;
    this.#timer.refresh();
  }
}
