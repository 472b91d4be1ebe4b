/** How long one pass of the event loop goes on with turns while clients read. */
const SHARE_MS = 2;
/** So much longer for each read of the pass, so that runs go on beside many readers. */
const FOR_EACH_READ_MS = 1;
/** Turns of a pass while no client reads, all at once: what many runs do at the same step is faster one after another. */
const TOGETHER = 16;
/** Turns are taken one at a time for so long after a read: most clients that read come again. */
const AFTER_READ_MS = 250;

/**
 * The turns that runs take on the thread that also answers requests. A request is seen between two passes of the event loop, and
 * a turn has all that follows from it without a wait. So a pass that has had its share leaves the other turns, in their order, to the
 * next pass.
 */
export class ThreadTurns {
  readonly #waiting: (() => void)[] = [];
  #readersUntil = 0;
  /** Since the last pass that had turns. */
  #reads = 0;
  #hasTick = false;
  /** When the first turn of this pass began. */
  #began: number | undefined;

  /** A client waits for what it reads. */
  readerCame(): void {
    this.#reads += 1;
    this.#readersUntil = performance.now() + AFTER_READ_MS;
  }

  /** Calls each of them, which must not throw, in a turn. */
  take(works: readonly (() => void)[]): void {
    this.#waiting.push(...works);
    if (!this.#hasTick) this.#go();
  }

  /** Resolves when a turn begins: at once while no client reads. */
  async next(): Promise<void> {
    if (this.#hasReaders) await new Promise<void>((resolve) => this.take([resolve]));
  }

  get #hasReaders(): boolean {
    return performance.now() < this.#readersUntil;
  }

  get #share(): number {
    return SHARE_MS + this.#reads * FOR_EACH_READ_MS;
  }

  #go(): void {
    if (this.#waiting.length === 0) return;
    if (this.#began === undefined) this.#begin();
    else if (!this.#hasReaders || performance.now() > this.#began + this.#share) return;
    for (const work of this.#waiting.splice(0, this.#hasReaders ? 1 : TOGETHER)) work();
    this.#tick();
  }

  /** A tick comes after all microtasks, those of the last turns among them. */
  #tick(): void {
    this.#hasTick = true;
    queueMicrotask(() => {
      process.nextTick(() => {
        this.#hasTick = false;
        this.#go();
      });
    });
  }

  #begin(): void {
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
      this.#reads = 0;
      if (!this.#hasTick) this.#go();
    });
  }
}

/** Those of this thread. */
export const threadTurns = new ThreadTurns();
