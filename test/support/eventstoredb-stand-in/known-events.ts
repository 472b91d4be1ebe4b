export interface KnownEvent {
  readonly stream: string;
  readonly revision: number;
}

/** So many ids are known at a time; the oldest go first. */
const MOST = 100_000;

/**
 * The server's cache of event ids, by which it knows repeats under ANY and STREAM_EXISTS. One place for each id, whatever
 * the stream: an id that a second stream takes is forgotten for the first, and one that a stream has twice is known where it came
 * first. Empty after a restart.
 */
export class KnownEvents {
  readonly #events = new Map<string, KnownEvent>();

  in(stream: string, eventId: string): KnownEvent | undefined {
    const known = this.#events.get(eventId.toLowerCase());
    return known?.stream === stream ? known : undefined;
  }

  add(eventId: string, event: KnownEvent): void {
    if (this.in(event.stream, eventId)) return;
    this.#events.set(eventId.toLowerCase(), event);
    if (this.#events.size <= MOST) return;
    for (const oldest of this.#events.keys()) {
      this.#events.delete(oldest);
      return;
    }
  }
}
