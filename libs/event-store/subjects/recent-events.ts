import type { EventToStore, StoredEvent } from '../event-store.js';
import type { FoundKey } from './encrypted-members.js';
import type { SubjectKey } from './subject-key.js';

/** For each event, without its texts: the entries of the maps and their members. */
const ENTRY_BYTES = 500;
const MOST_BYTES = 4 * 1024 * 1024;

interface Recent {
  readonly key: SubjectKey;
  readonly stream: string;
  readonly stored: EventToStore;
  /** The event as readers get it. */
  readonly read: EventToStore;
}

/**
 * The last events that this process encrypted, by id. Rows are made of them a moment later, without decrypting. Only events of keys that are in
 * memory are kept: a call that still uses a dropped key keeps none.
 */
export class RecentEvents {
  readonly #events = new Map<string, Recent>();
  readonly #ofKeys = new Map<SubjectKey, Set<string>>();
  #bytes = 0;

  /** Keeps events of this key from here on, until `forget`. */
  hold(key: SubjectKey): void {
    this.#ofKeys.set(key, new Set());
  }

  /** Replaces an event with the same id, which was not stored. */
  keep(recent: Recent): void {
    const { eventId } = recent.stored;
    const ofKey = this.#ofKeys.get(recent.key);
    const bytes = bytesOf(recent);
    if (!ofKey || bytes > MOST_BYTES / 4) return;
    this.#delete(eventId);
    ofKey.add(eventId);
    this.#events.set(eventId, recent);
    this.#bytes += bytes;
    for (const oldest of this.#events.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#delete(oldest);
    }
  }

  /** The event as readers get it, if this stored event is in the same stream, with the texts that this key encrypted. */
  find({ stream, eventId, type, data, metadata }: StoredEvent, key: FoundKey): EventToStore | undefined {
    const recent = this.#events.get(eventId);
    if (recent?.key !== key || recent.stream !== stream) return undefined;
    const { stored, read } = recent;
    return stored.data === data && stored.metadata === metadata && stored.type === type ? read : undefined;
  }

  forget(key: SubjectKey): void {
    for (const eventId of this.#ofKeys.get(key) ?? []) this.#delete(eventId);
    this.#ofKeys.delete(key);
  }

  #delete(eventId: string): void {
    const recent = this.#events.get(eventId);
    if (!recent) return;
    this.#bytes -= bytesOf(recent);
    this.#events.delete(eventId);
    this.#ofKeys.get(recent.key)?.delete(eventId);
  }
}

/** At most two bytes for each character. */
function bytesOf({ stored, read }: Recent): number {
  const characters = [stored.data, stored.metadata, read.data, read.metadata];
  return ENTRY_BYTES + 2 * characters.reduce((sum, { length }) => sum + length, 0);
}
