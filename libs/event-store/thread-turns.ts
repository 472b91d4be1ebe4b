/** The time for turns in one pass of the event loop while clients read. */
const SHARE_MS = 2;
/** Added for each read of the pass, so that runs continue beside many readers. */
const FOR_EACH_READ_MS = 1;
/** Turns that are taken together while no client reads. When many runs are at the same step, this is faster than separate turns. */
const TOGETHER = 16;
/** Turns are taken one at a time for this long after a read, because most clients read again. */
const AFTER_READ_MS = 250;

/**
 * The turns that runs take on the thread that also answers requests. A request is seen between two passes of the event loop, and a turn includes all
 * work that follows from it without a wait. So a pass that has used its share leaves the other turns, in their order, to the next pass.
 */
export class ThreadTurns {
  readonly #waiting: (() => void)[] = [];
  #readersUntil = 0;
  /** Reads since the last pass that had turns. */
  #reads = 0;
  #hasTick = false;
  /** The time at which the first turn of this pass began. */
  #passBegan: number | undefined;

  /** A client waits for a read. */
  readerCame(): void {
    this.#reads += 1;
    this.#readersUntil = performance.now() + AFTER_READ_MS;
  }

  /** Calls each function in a turn. They must not throw. */
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
    if (this.#passBegan === undefined) this.#begin();
    else if (!this.#hasReaders || performance.now() > this.#passBegan + this.#share) return;
    for (const work of this.#waiting.splice(0, this.#hasReaders ? 1 : TOGETHER)) work();
    this.#tick();
  }

  /** A tick comes after all microtasks, with those of the last turns. */
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
    this.#passBegan = performance.now();
    setImmediate(() => {
      this.#passBegan = undefined;
      this.#reads = 0;
      if (!this.#hasTick) this.#go();
    });
  }
}

/** The turns of this thread. */
export const threadTurns = new ThreadTurns();
