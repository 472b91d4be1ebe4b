import type { EventStore, Position, StoredEvent } from '#lib/event-store';

/**
 * The events of the log after a position, for all followers in a process: one subscription, read and decoded once. The first
 * follower that wants the next batch fetches it, so the fastest sets the pace.
 */
export class LogTail<Batch> {
  readonly #ending = new AbortController();
  readonly #batches: AsyncIterator<readonly StoredEvent[]>;
  #next: Promise<Batch | undefined> | undefined;
  #at: string;

  /**
   * @param position where it begins: the last position before it
   * @param opened called once with each batch of events, and the position before it
   */
  constructor(
    private readonly store: EventStore,
    position: string,
    private readonly opened: (before: string, batch: readonly StoredEvent[]) => Batch,
  ) {
    this.#at = position;
    const after = position === '' ? undefined : (position as Position);
    this.#batches = store.subscribe(after, this.#ending.signal)[Symbol.asyncIterator]();
  }

  /** The position of the last fetched batch's end. */
  get at(): string {
    return this.#at;
  }

  /** The batch after `at`, which moves with it; `undefined` after `leave`. @throws StoreUnavailable */
  next(): Promise<Batch | undefined> {
    this.#next ??= this.#fetch().finally(() => {
      this.#next = undefined;
    });
    return this.#next;
  }

  /** Ends the subscription. */
  leave(): void {
    this.#ending.abort();
    void this.#batches.return?.().catch(() => undefined);
  }

  async #fetch(): Promise<Batch | undefined> {
    for (;;) {
      const { done, value } = await this.#batches.next();
      if (done) return this.#ended();
      const last = value.at(-1);
      if (!last) continue;
      const batch = this.opened(this.#at, value);
      this.#at = last.position;
      return batch;
    }
  }

  async #ended(): Promise<undefined> {
    // A closed store: this read throws the store's own error.
    if (!this.#ending.signal.aborted) await this.store.head();
  }
}
