import type { EventLog, StreamHistory } from '#lib/event-store';
import type { Event } from '#lib/kernel';

/**
 * The streams that a call reads first, asked for together with its key. Each is given once: it has every event that was acknowledged before
 * the call came, and a second read needs later ones.
 */
export class ReadAhead {
  readonly #begun = new Map<string, Promise<StreamHistory>>();

  constructor(
    private readonly log: Pick<EventLog, 'load'>,
    streams: readonly string[],
  ) {
    for (const stream of streams) {
      const history = log.load(stream);
      // The failure is for the caller of `load`; a call that is refused before it never loads.
      history.catch(() => undefined);
      this.#begun.set(stream, history);
    }
  }

  /** As `log.load`. @throws UndecodableEvent @throws StoreUnavailable */
  load<E extends Event>(stream: string): Promise<StreamHistory<E>> {
    const begun = this.#begun.get(stream) as Promise<StreamHistory<E>> | undefined;
    this.#begun.delete(stream);
    return begun ?? this.log.load<E>(stream);
  }
}
