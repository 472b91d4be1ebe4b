import type { StoredEvent } from '../event-store.js';

/** A stream that is being read, and its next event. */
interface OpenStream {
  readonly events: AsyncIterator<StoredEvent>;
  next: StoredEvent;
}

/** Streams that are read side by side, in the order of the log. Holds one event of each stream that is not read to its end. */
export class LogOrder {
  readonly #open = new Set<OpenStream>();

  /** The stream whose next event is the earliest; `undefined` once all streams are read. */
  get first(): OpenStream | undefined {
    let least: OpenStream | undefined;
    for (const one of this.#open) if (!least || one.next.position < least.next.position) least = one;
    return least;
  }

  /** @throws StoreUnavailable */
  async add(events: AsyncIterator<StoredEvent>): Promise<void> {
    const { value, done } = await events.next();
    if (done !== true) this.#open.add({ events, next: value });
  }

  /** Moves past the next event of a stream. The stream need not be the first any more. @throws StoreUnavailable */
  async advance(stream: OpenStream): Promise<void> {
    const { value, done } = await stream.events.next();
    if (done === true) this.#open.delete(stream);
    else stream.next = value;
  }
}
