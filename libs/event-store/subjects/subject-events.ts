import type { Event, RecordedEvent } from '#lib/kernel';
import { encodingOf, type StoredDocument } from '../blobs/put-back.js';
import {
  type BlobTexts,
  type Decrypt,
  type EventCodec,
  type NewEvent,
  toStore,
  UndecodableEvent,
} from '../event-codec.js';
import type { EventToStore, StoredEvent } from '../event-store.js';
import type { StreamNames } from '../stream-names.js';
import { decryptMembers, encryptMembers, ERASED, type FoundKey } from './encrypted-members.js';
import type { Keyring } from './keyring.js';

type Keys = ReadonlyMap<string, FoundKey>;

const NO_KEYS: Keys = new Map();

/** An event as it is stored, and as readers get it. */
interface Encoded {
  readonly stored: EventToStore;
  readonly read: EventToStore;
}

/** Encodes and decodes the events of subjects. Their keys are looked up first; the rest is synchronous. */
export class SubjectEvents {
  constructor(
    private readonly codec: EventCodec,
    private readonly names: StreamNames,
    readonly keys: Keyring,
  ) {}

  /** @throws KeyMissing @throws StoreUnavailable */
  async keysOf(subjects: readonly (string | undefined)[], what: string): Promise<Keys> {
    const wanted = new Set(subjects.filter((subject) => subject !== undefined));
    if (wanted.size === 0) return NO_KEYS;
    const found = [...wanted].map(async (subject) => [subject, await this.keys.of(subject, what)] as const);
    return new Map(await Promise.all(found));
  }

  /**
   * Decrypts, or encrypts, with the keys of these subjects. If a value does not open, keys in memory are looked up again: another process may have
   * erased the subject, and written events without content.
   * @throws KeyMissing @throws StoreUnavailable @throws UndecodableEvent from `work`
   */
  async open<T>(
    subjects: readonly (string | undefined)[],
    what: string,
    work: (keys: Keys) => T,
  ): Promise<T> {
    try {
      return work(await this.keysOf(subjects, what));
    } catch (error) {
      if (!(error instanceof UndecodableEvent)) throw error;
      for (const subject of new Set(subjects)) if (subject !== undefined) this.keys.forget(subject);
      return work(await this.keysOf(subjects, what));
    }
  }

  /** Without content if the subject is erased. Late outcomes are recorded in this form. */
  encode(event: NewEvent, stream: string, keys: Keys): Encoded {
    const { document, kinds } = this.codec.documentOf(event, stream);
    const key = keys.get(event.metadata.keyId ?? '');
    if (!key) {
      const stored = toStore(event, document);
      return { stored, read: stored };
    }
    const place = { stream: this.names.withoutPrefix(stream), eventId: event.eventId };
    const encrypted = encryptMembers(document, kinds, key, place);
    const stored = toStore(event, encrypted);
    if (key === ERASED) return { stored, read: toStore(event, this.#erased(encrypted, event.event.type)) };
    const read = toStore(event, document);
    this.keys.recent.keep({ key, stream, stored, read });
    return { stored, read };
  }

  /** The document as readers get it once its subject is erased. */
  #erased(document: StoredDocument, type: string): StoredDocument {
    const pointers = encodingOf(document.metadata)?.encrypted ?? [];
    const place = { stream: '', eventId: '' };
    decryptMembers(document, pointers, ERASED, place, this.codec.blanksOf(type));
    const { encoding: _encoding, ...metadata } = document.metadata;
    return { data: document.data, metadata: { ...metadata, erased: true } };
  }

  /** Decodes an event with the texts of its blobs. @throws UndecodableEvent also for a value that its key does not open */
  decode<E extends Event>(
    stored: StoredEvent,
    blobs: BlobTexts,
    subject: string | undefined,
    keys: Keys,
  ): RecordedEvent<E> {
    const key = keys.get(subject ?? '');
    const read = key && this.keys.recent.find(stored, key);
    if (read) return this.codec.decode<E>({ ...stored, ...read });
    return this.codec.decode<E>(stored, blobs, this.#decrypt(stored, subject, key));
  }

  #decrypt(stored: StoredEvent, subject: string | undefined, key: FoundKey | undefined): Decrypt {
    return (document, pointers) => {
      const place = { stream: this.names.withoutPrefix(stored.stream), eventId: stored.eventId };
      const blanks = this.codec.blanksOf(stored.type);
      const failed = key ? decryptMembers(document, pointers, key, place, blanks) : pointers[0];
      if (failed === undefined && key === ERASED) Object.assign(document.metadata, { erased: true });
      if (failed === undefined) return;
      throw new UndecodableEvent(
        stored,
        `the value at ${failed} is not one that the key of subject ${subject} has encrypted there`,
      );
    };
  }
}
