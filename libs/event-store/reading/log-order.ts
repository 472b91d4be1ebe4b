import type { StoredEvent } from '../event-store.js';

/** A stream that is being read, and its next event. */
interface OpenStream {
  readonly events: AsyncIterator<StoredEvent>;
  next: StoredEvent;
}

/** Streams that are read side by side, in the order of the log. One event of each that is not read to its end is held. */
export class LogOrder {
  readonly #open = new Set<OpenStream>();

  /** The stream with the earliest of the next events; `undefined` once all are read. */
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

  /** Passes over the next event of a stream, which need not be the first any more. @throws StoreUnavailable */
  async advance(stream: OpenStream): Promise<void> {
    const { value, done } = await stream.events.next();
    if (done === true) this.#open.delete(stream);
    else stream.next = value;
  }
}
