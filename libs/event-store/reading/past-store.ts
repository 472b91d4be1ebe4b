import { isBlobStream } from '../blobs/blob-streams.js';
import { InvalidAppend } from '../errors.js';
import type {
  AppendResult,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  StoredEvent,
} from '../event-store.js';
import type { Position } from '../position.js';

/** Events of a stream that are read at once. If the position is far from the end of the stream, little is read beyond it. */
const PAGE = 256;

/**
 * A store at an earlier position: every stream and the log end with the last event up to that position. It takes no appends. Blobs are read whole,
 * because they are stored before the events that refer to them.
 */
export class PastStore implements EventStore {
  readonly logId: string;

  constructor(
    private readonly store: EventStore,
    private readonly position: Position,
  ) {
    this.logId = store.logId;
  }

  append(): Promise<AppendResult> {
    return Promise.reject(this.#isPast());
  }

  appendInOrder(): Promise<readonly AppendResult[]> {
    return Promise.reject(this.#isPast());
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    if (isBlobStream(stream)) return this.store.readStream(stream, options);
    const { limit = Infinity, direction = 'forwards' } = options;
    const found: StoredEvent[] = [];
    let next = options.from;
    while (found.length < limit) {
      const from = next !== undefined && { from: next };
      const asked = Math.min(PAGE, limit - found.length);
      const page = await this.store.readStream(stream, { ...from, direction, limit: asked });
      const past = page.filter(({ position }) => position <= this.position);
      found.push(...past);
      const last = page.at(-1);
      if (!last || page.length < asked) break;
      if (direction === 'forwards' && past.length < page.length) break;
      next = last.revision + (direction === 'forwards' ? 1 : -1);
      if (next < 0) break;
    }
    return found;
  }

  async readAll({ from, direction, ...most }: ReadAllOptions): Promise<readonly StoredEvent[]> {
    if (direction === 'backwards' && from !== undefined && from <= this.position)
      return this.store.readAll({ from, direction, ...most });
    if (direction === 'backwards') return this.#fromTheEnd(most);
    const page = await this.store.readAll({ ...(from !== undefined && { from }), ...most });
    return page.filter(({ position }) => position <= this.position);
  }

  async head(): Promise<Position | undefined> {
    return (await this.#last())?.position;
  }

  /** The last event, then the events before it. */
  async #fromTheEnd({ limit, bytes }: Omit<ReadAllOptions, 'from' | 'direction'>) {
    const last = limit > 0 ? await this.#last() : undefined;
    if (!last) return [];
    const left = bytes === undefined ? Infinity : bytes - last.data.length - last.metadata.length;
    if (limit === 1 || left <= 0) return [last];
    const more = { from: last.position, direction: 'backwards', limit: limit - 1 } as const;
    return [last, ...(await this.store.readAll({ ...more, ...(bytes !== undefined && { bytes: left }) }))];
  }

  /** The event at the position, else the one before it. It takes two reads, however far the position is from the end of the log. */
  async #last(): Promise<StoredEvent | undefined> {
    const { position } = this;
    const [before] = await this.store.readAll({ from: position, direction: 'backwards', limit: 1 });
    const [next] = await this.store.readAll({ ...(before && { from: before.position }), limit: 1 });
    return next && next.position <= position ? next : before;
  }

  /** Ends with the log, because no event comes after it. */
  async *subscribe(after: Position | undefined, signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    for (let from = after; !signal.aborted;) {
      const page = await this.readAll({ ...(from !== undefined && { from }), limit: PAGE });
      yield page;
      from = page.at(-1)?.position;
      if (from === undefined) return;
    }
  }

  /** Leaves the store open for its other users. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  #isPast(): InvalidAppend {
    const what = `the log as it was at ${this.position}`;
    return new InvalidAppend(what, 'the events up to a position do not change', 'Append to the log itself');
  }
}
