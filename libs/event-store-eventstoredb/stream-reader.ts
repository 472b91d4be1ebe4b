import { Patience, type ReadStreamOptions, type StoredEvent } from '#lib/event-store';
import type { EventReader } from './event-reader.js';
import { streamRequest } from './read-request.js';
import { lacksEvents, StreamMetadata } from './stream-metadata.js';
import { UnseenRevisions } from './unseen-revisions.js';

/** The stream of an event that is not readable after this time may be deleted. Its metadata shows whether it is. */
const USUAL_LAG_MS = 1_000;

/** Reads streams so that a writer sees its own events, and after a conflict the event that was first. */
export class StreamReader {
  readonly #unseen = new UnseenRevisions();
  readonly #metadata: StreamMetadata;

  constructor(private readonly reader: EventReader) {
    this.#metadata = new StreamMetadata(reader);
  }

  /** The server has named this revision of the stream. Later reads wait until the stream shows it. */
  expect(stream: string, revision: number): void {
    this.#unseen.note(stream, revision);
  }

  /** @throws StreamTruncated @throws StoreUnavailable */
  async read(logId: string, stream: string, options: ReadStreamOptions): Promise<readonly StoredEvent[]> {
    const patience = new Patience(this.reader.settings.patienceMs);
    const began = performance.now();
    for (;;) {
      const reading = this.reader.read(logId, streamRequest(stream, options), { patience });
      const check = options.isLikelyNew && this.#metadata.check(stream);
      // If there are events, its result is not waited for.
      if (check) check.catch(() => undefined);
      const events = await reading;
      if (!this.#unseen.areMissing(stream, options, events)) {
        await this.#checkWhole(stream, options, events, check || undefined);
        return events;
      }
      if (performance.now() - began > USUAL_LAG_MS) await this.#metadata.check(stream);
      if (patience.isOver) {
        throw this.#metadata.truncated(stream, 'the server has named a later revision than it shows');
      }
      await patience.pause();
    }
  }

  /** @throws StreamTruncated: the stream does not show events that the server knows as stored */
  wasDeleted(stream: string): never {
    throw this.#metadata.truncated(stream, 'the stream was deleted there after this append');
  }

  async #checkWhole(
    stream: string,
    options: ReadStreamOptions,
    events: readonly StoredEvent[],
    check: Promise<void> | undefined,
  ): Promise<void> {
    const isEmpty = events.length === 0 && (options.from ?? 0) === 0;
    if (isEmpty || lacksEvents(options, events)) await (check ?? this.#metadata.check(stream));
  }
}
