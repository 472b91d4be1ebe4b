import type { RecordedEvent } from '#lib/kernel';
import type { StreamHistory } from './stream-history.js';
import type { Keyring } from './subjects/keyring.js';

/** The most characters of JSON text of all kept streams together. In memory, decoded events take about three bytes for each. */
const MOST = 16 * 1024 * 1024;
/** Added for each stream besides its events. */
const AROUND_A_STREAM = 500;

/**
 * Streams that were loaded recently. Each may be only the beginning of its stream, because others append; an append at its revision finds that out.
 * Over the bound, the least recently used streams are dropped first.
 */
export class RecentStreams {
  readonly #streams = new Map<string, StreamHistory>();
  #size = 0;

  constructor(private readonly most = MOST) {}

  /** @param keys a stream about a subject is kept as long as its key, because another process may erase the subject */
  get(stream: string, keys?: Pick<Keyring, 'atHand'>): StreamHistory | undefined {
    const history = this.#streams.get(stream);
    if (!history) return undefined;
    const subject = history.events[0]?.metadata.keyId;
    if (subject !== undefined && keys && !keys.atHand(subject)) {
      this.forget(stream);
      return undefined;
    }
    this.#streams.delete(stream);
    this.#streams.set(stream, history);
    return history;
  }

  /** Keeps the longer of the kept history and this one. A stream that is larger than the bound is not kept. */
  keep(stream: string, history: StreamHistory): void {
    const kept = this.#streams.get(stream);
    if (kept && kept.revision >= history.revision) return;
    this.forget(stream);
    if (history.size + AROUND_A_STREAM > this.most) return;
    this.#streams.set(stream, history);
    this.#size += history.size + AROUND_A_STREAM;
    for (const oldest of this.#streams.keys()) {
      if (this.#size <= this.most) return;
      this.forget(oldest);
    }
  }

  /** Adds events that were appended to a stream. @param first their first revision */
  grew(stream: string, first: number, events: readonly RecordedEvent[], size: number): void {
    const kept = this.#streams.get(stream);
    if (kept?.revision === first - 1) this.keep(stream, kept.followedBy(events, size));
  }

  forgetAbout(subject: string): void {
    for (const [stream, { events }] of this.#streams) {
      if (events[0]?.metadata.keyId === subject) this.forget(stream);
    }
  }

  forget(stream: string): void {
    const history = this.#streams.get(stream);
    if (!history) return;
    this.#streams.delete(stream);
    this.#size -= history.size + AROUND_A_STREAM;
  }
}
