import {
  ChangeSignal,
  chunksOf,
  type EventStore,
  firstWithin,
  followLog,
  formatPosition,
  isBlobStream,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  sequenceOf,
  type StoredEvent,
  type StreamNames,
} from '#lib/event-store';
import { jsonText } from '#lib/kernel';
import { HistoryBroken } from './history-broken.js';
import type { HistoryBytes } from './history-bytes.js';
import type { HistoryIndex, Place } from './history-index.js';
import { blobText } from './history-lines.js';
import { HistoryIsReadOnly } from './history-is-read-only.js';
import { readBodyLine } from './read-line.js';

/** Events read from the file at once. */
const READ = 64;

/**
 * A history file as a read-only log. Events are read from the file on demand; memory holds the places of its lines. Positions are
 * those of the file, not of the exported log.
 */
export class HistoryFileStore implements EventStore {
  readonly logId: string;
  readonly positionsAreGapFree = true;
  readonly #arrivals = new ChangeSignal();

  constructor(
    private readonly bytes: HistoryBytes,
    private readonly index: HistoryIndex,
    private readonly names: StreamNames,
  ) {
    this.logId = `history-${index.sum}`;
  }

  append(): Promise<never> {
    return Promise.reject(new HistoryIsReadOnly('an event'));
  }

  appendInOrder(): Promise<never> {
    return this.append();
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    if (isBlobStream(stream)) return this.#blob(stream);
    const events = this.index.eventsOf(this.names.withoutPrefix(stream));
    const { from, direction, limit = Infinity } = options;
    const wanted =
      direction === 'backwards'
        ? events.slice(0, (from ?? events.length) + 1).toReversed()
        : events.slice(from ?? 0);
    return this.#events(wanted.slice(0, limit));
  }

  lastRevisions(streams: readonly string[]): Promise<readonly (number | undefined)[]> {
    const lengths = streams.map((stream) => this.index.eventsOf(this.names.withoutPrefix(stream)).length);
    return Promise.resolve(lengths.map((length) => (length === 0 ? undefined : length - 1)));
  }

  async readAll({ from, direction, limit, bytes }: ReadAllOptions): Promise<readonly StoredEvent[]> {
    const step = direction === 'backwards' ? -1 : 1;
    const after = from === undefined ? undefined : Number(sequenceOf(this.logId, from)) - 1;
    const first = after === undefined ? (step === 1 ? 0 : this.index.length - 1) : after + step;
    const count = Math.min(limit, step === 1 ? this.index.length - first : first + 1);
    const page: StoredEvent[] = [];
    for (let at = 0; at < count; at += READ) {
      const ordinals = Array.from({ length: Math.min(READ, count - at) }, (_, n) => first + step * (at + n));
      page.push(...(await this.#events(ordinals)));
      const within = firstWithin(page, { limit, ...(bytes !== undefined && { bytes }) });
      if (within.length < page.length) return within;
    }
    return page;
  }

  head(): Promise<Position | undefined> {
    const { length } = this.index;
    return Promise.resolve(length === 0 ? undefined : formatPosition(this.logId, length));
  }

  subscribe(after: Position | undefined, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]> {
    return followLog(this, this.#arrivals, after, signal);
  }

  async close(): Promise<void> {
    this.#arrivals.end();
    await this.bytes.close();
  }

  async #events(ordinals: readonly number[]): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (const ordinal of ordinals) events.push(await this.#event(ordinal));
    return events;
  }

  async #event(ordinal: number): Promise<StoredEvent> {
    const { head } = this.index;
    const read = readBodyLine(await this.#text(this.index.at(ordinal)), head.redaction);
    if ('refused' in read || read.is !== 'event') throw changed();
    const { stream, revision, eventId, type, data, metadata } = read;
    const position = formatPosition(this.logId, ordinal + 1);
    const texts = { data: jsonText(data), metadata: jsonText(metadata) };
    return { eventId, type, ...texts, stream: this.names.withPrefix(stream), revision, position };
  }

  async #blob(stream: string): Promise<readonly StoredEvent[]> {
    const sha256 = this.names.parse(stream)?.id ?? '';
    const place = this.index.blob(sha256);
    const line = place && readBodyLine(await this.#text(place), 'none');
    if (!line || 'refused' in line || line.is !== 'blob') return [];
    const position = formatPosition(this.logId, 0);
    const chunks = chunksOf({ text: blobText(line), sha256 });
    return chunks.map((chunk, revision) => ({ ...chunk, stream, revision, position }));
  }

  async #text(place: Place): Promise<string> {
    const bytes = await this.bytes.read(place);
    if (bytes.length < place.length) throw changed();
    return bytes.toString();
  }
}

/** The file passed its checks when it was opened: another process changes it. */
function changed(): HistoryBroken {
  return new HistoryBroken(0, 'the file was changed while it was read');
}
