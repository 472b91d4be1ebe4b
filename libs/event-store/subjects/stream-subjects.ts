import { type EventMetadata, RecentMap } from '#lib/kernel';
import { type EventCodec, type NewEvent, UnstorableEvent } from '../event-codec.js';
import type { EventStore, StreamAppend } from '../event-store.js';
import type { Keyring } from './keyring.js';

/** The most streams in memory, about 200 bytes each. */
const MOST = 10_000;

type First = Pick<EventMetadata, 'keyId'>;

/** The subject of each stream. Its first event names it, and it never changes. For the streams that this process wrote to last, it is in memory. */
export class StreamSubjects {
  readonly #known = new RecentMap<First>(MOST);

  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly keys: Keyring,
  ) {}

  /**
   * Refuses events without the subject of their stream, because they would be stored in plain text.
   * @param first of the stream, if it is in memory
   * @throws UnstorableEvent @throws StoreUnavailable
   */
  async check({ stream, expected, events }: StreamAppend<NewEvent>, first?: First): Promise<void> {
    // If the stream exists after all, the store reports a conflict.
    if (expected === 'no-stream') return;
    const known = first ?? this.#known.get(stream) ?? (await this.#stored(stream));
    for (const { event, metadata } of events) {
      if (known === undefined || known.keyId === metadata.keyId) continue;
      throw new UnstorableEvent(
        `event ${event.type} of ${stream}`,
        `its subject is ${metadata.keyId ?? 'none'}, and that of its stream is ${known.keyId ?? 'none'}`,
        'Report it',
      );
    }
  }

  /** The first event of a stream is stored. */
  note(stream: string, { keyId }: First): void {
    if (!this.keys.areMade) return;
    this.#known.set(stream, keyId === undefined ? {} : { keyId });
  }

  /** Reads the first event, but only if there may be subjects. */
  async #stored(stream: string): Promise<First | undefined> {
    if (!this.keys.areMade) return undefined;
    const [stored] = await this.store.readStream(stream, { limit: 1 });
    const first = stored && this.codec.metadataOf(stored);
    if (first) this.note(stream, first);
    return first;
  }
}
