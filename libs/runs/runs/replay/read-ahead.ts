import type { EventLog, EventStore, Position, StoredEvent } from '#lib/event-store';

/** The part of a log that verification reads. */
export type ReplayedLog = Pick<EventLog, 'streams' | 'codec' | 'decode' | 'keys'> & {
  readonly store: Pick<EventStore, 'readStream'>;
};

const EVENTS_OF_PAGE = 1000;
/** Streams that begin in a page mostly end in the next few. For a store that cannot give last revisions, one page at a time is read. */
const MOST_PAGES = 4;
/** The most characters of JSON text in all pages. Above it, only the page that is being verified is kept. */
const MOST_TEXT = 32 * 1024 * 1024;

/** Some events of the log, in its order. */
interface Page {
  readonly events: readonly StoredEvent[];
  readonly byStream: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly text: number;
}

/**
 * Reads a whole log page by page, and some pages ahead. A stream that lies within these pages is not read again: one read of a page costs a fraction
 * of a read of each of its streams. The events that it gives are never older than those that were read before, even while the log is written.
 */
export class ReadAhead {
  /** The log, with the streams of the current pages. */
  readonly log: ReplayedLog;
  #pages: readonly Page[] = [];

  constructor(private readonly whole: EventLog) {
    this.log = {
      streams: whole.streams,
      codec: whole.codec,
      keys: whole.keys,
      decode: (stored) => whole.decode(stored),
      store: { readStream: async (stream) => (await this.#atHand(stream)) ?? whole.store.readStream(stream) },
    };
  }

  /** Every event of the log after a position, or from its beginning, without those of blobs, in pages. */
  async *pages(after?: Position): AsyncGenerator<readonly StoredEvent[]> {
    let from = after;
    let isRead = false;
    for (;;) {
      while (!isRead && this.#hasRoom()) {
        const events = await this.whole.store.readAll({ ...(from && { from }), limit: EVENTS_OF_PAGE });
        from = events.at(-1)?.position;
        isRead = events.length < EVENTS_OF_PAGE;
        this.#pages = [...this.#pages, paged(events)];
      }
      const [page] = this.#pages;
      if (!page) return;
      yield page.events;
      this.#pages = this.#pages.slice(1);
    }
  }

  #hasRoom(): boolean {
    const text = this.#pages.reduce((sum, page) => sum + page.text, 0);
    const most = this.whole.store.lastRevisions ? MOST_PAGES : 1;
    return this.#pages.length === 0 || (this.#pages.length < most && text < MOST_TEXT);
  }

  /** The events that a read of the stream would give now; `undefined` if some may be outside the current pages. */
  async #atHand(stream: string): Promise<readonly StoredEvent[] | undefined> {
    const { store } = this.whole;
    const events = this.#pages.flatMap(({ byStream }) => byStream.get(stream) ?? []);
    const isFromStart = events.length > 0 && events.every(({ revision }, index) => revision === index);
    if (!store.lastRevisions || !isFromStart) return undefined;
    const [last] = await store.lastRevisions([stream]);
    return last === events.length - 1 ? events : undefined;
  }
}

function paged(events: readonly StoredEvent[]): Page {
  const byStream = new Map<string, StoredEvent[]>();
  let text = 0;
  for (const event of events) {
    text += event.data.length + event.metadata.length;
    const known = byStream.get(event.stream);
    if (known) known.push(event);
    else byStream.set(event.stream, [event]);
  }
  return { events, byStream, text };
}
