import {
  type BlobReference,
  ENGINE_ACTOR,
  type ErrorAnswer,
  type Event,
  type EventEncoding,
  type EventMetadata,
  type JsonObject,
  jsonText,
  parseJsonObject,
  type RecordedEvent,
  RedialError,
} from '#lib/kernel';
import { encodingOf, putBack, type StoredDocument } from './blobs/put-back.js';
import { checkDefinitions, type EventDefinition, InvalidEventCatalogue } from './event-definitions.js';
import type { MemberKinds } from './event-members.js';
import type { EventToStore, StoredEvent } from './event-store.js';
import { idInStream } from './stream-names.js';
import { whyUnstorable } from './why-unstorable.js';

/** A stored event that this version of Redial cannot read. */
export class UndecodableEvent extends RedialError {
  override readonly answer: ErrorAnswer = { status: 500, code: 'unreadable-event' };

  constructor(
    readonly stored: Pick<StoredEvent, 'stream' | 'revision' | 'type'>,
    readonly why: string,
    options?: ErrorOptions,
  ) {
    super(
      `event ${stored.type} at ${stored.stream} revision ${stored.revision} cannot be read`,
      why,
      'Run a version of Redial that knows it, or look for damage with `redial log check`',
      options,
    );
  }
}

/** A stored event of a type or schema version that this build does not have: a newer one wrote it. */
export class UnknownEvent extends UndecodableEvent {
  override readonly answer = { status: 503, code: 'unknown-event' };
}

/** An event that would be read otherwise than it was given. A bug; nothing is written. */
export class UnstorableEvent extends RedialError {}

/** An event that is about to be appended. */
export interface NewEvent<E extends Event = Event> {
  readonly eventId: string;
  readonly event: E;
  readonly metadata: Omit<EventMetadata, 'schemaVersion' | 'encoding'>;
}

/** Texts of blobs by their SHA-256; `undefined` for one that is not there as it was stored. */
export type BlobTexts = ReadonlyMap<string, string | undefined>;

/** Decrypts the values at these pointers in the document itself. */
export type Decrypt = (document: StoredDocument, pointers: readonly string[]) => void;

const NO_BLOBS: BlobTexts = new Map();

/** The parts that an event is decoded with, besides its texts. */
export interface Needs {
  readonly blobs: readonly BlobReference[];
  /** The subject whose key decrypts it. */
  readonly subject?: string;
}

/** Those of an event that has all its parts in its texts. */
export const NO_NEEDS: Needs = { blobs: [] };

/** Whether an event with these is decoded from its texts alone. */
export function isInTexts({ blobs, subject }: Needs): boolean {
  return blobs.length === 0 && subject === undefined;
}

/** Events to stored text and back. Readers only ever see the newest shape of an event. */
export class EventCodec {
  private readonly definitions: ReadonlyMap<string, EventDefinition>;

  /** @throws InvalidEventCatalogue when a type is declared twice or its chain of upcasters has a gap. */
  constructor(catalogues: readonly { readonly [type: string]: EventDefinition }[]) {
    const entries = catalogues.flatMap((catalogue) => Object.entries(catalogue));
    checkDefinitions(entries);
    this.definitions = new Map(entries);
  }

  get types(): readonly string[] {
    return [...this.definitions.keys()];
  }

  knows(type: string): boolean {
    return this.definitions.has(type);
  }

  /** @throws UnknownEvent if the type of a stored event is not declared */
  checkType(stored: StoredEvent): void {
    if (!this.knows(stored.type)) throw new UnknownEvent(stored, 'its type is not known here');
  }

  /** The kinds of the data of an event in each of its schema versions, the first one first. @throws InvalidEventCatalogue */
  membersOf(type: string): readonly MemberKinds[] {
    const { version, members = 'content', earlier } = this.definitionOf(type);
    return Array.from({ length: version }, (_, index) => earlier?.[index + 1] ?? members);
  }

  /** By JSON pointer into data of this type: what stands for content once its subject is erased. @throws InvalidEventCatalogue */
  blanksOf(type: string): JsonObject {
    return this.definitionOf(type).blanks ?? {};
  }

  /** Members that are undefined are left out, and what follows from the stream's name. @throws UnstorableEvent */
  encode(event: NewEvent, stream: string): EventToStore {
    return toStore(event, this.documentOf(event, stream).document);
  }

  /** The document in which `encode` stores an event, and what its members of data are. @throws UnstorableEvent */
  documentOf(
    { event, metadata }: NewEvent,
    stream: string,
  ): { document: StoredDocument; kinds: MemberKinds } {
    const why = whyUnstorable(event, metadata);
    if (why)
      throw new UnstorableEvent(`event ${event.type}`, why, 'Report it, unless a workflow of yours gave it');
    const version = versionOf(this.definitionOf(event.type), event.data as JsonObject);
    const document = {
      data: event.data as JsonObject,
      metadata: { ...(version > 1 && { schemaVersion: version }), ...shortened(metadata, stream) },
    };
    return { document, kinds: this.membersOf(event.type)[version - 1] ?? 'content' };
  }

  /** The parts that `EventLog.decode` gives to `decode`; almost always none, and then without a look inside. Its data is never looked at. @throws UndecodableEvent */
  needsOf(stored: StoredEvent): Needs {
    if (!stored.metadata.includes('"encoding"')) return NO_NEEDS;
    const metadata = metadataIn(stored);
    if (!('encoding' in metadata)) return NO_NEEDS;
    const { blobs, encrypted } = encodingIn(stored, metadata);
    if (encrypted.length === 0) return { blobs };
    const { keyId } = metadata;
    if (typeof keyId === 'string') return { blobs, subject: keyId };
    throw new UndecodableEvent(stored, 'it is encrypted, and does not say under which key');
  }

  /** @throws UndecodableEvent */
  blobsOf(stored: StoredEvent): readonly BlobReference[] {
    return this.needsOf(stored).blobs;
  }

  /** The metadata of an event, without members that are stored as blobs. @throws UndecodableEvent */
  metadataOf(stored: StoredEvent): EventMetadata {
    return wholeMetadata(metadataIn(stored), stored.stream);
  }

  /**
   * `EventLog.decode` reads the blobs and keys as well. An event that is not in parts needs none.
   * @throws UndecodableEvent for an unknown type or version, for text that is not a JSON object, for data an upcaster cannot
   * take, for a blob that is missing or was changed, for an encrypted value without a key.
   */
  decode<E extends Event>(
    stored: StoredEvent,
    blobs: BlobTexts = NO_BLOBS,
    decrypt?: Decrypt,
  ): RecordedEvent<E> {
    const document = parsed(stored);
    const { data, metadata: short } =
      'encoding' in document.metadata ? whole(stored, document, blobs, decrypt) : document;
    const { eventId, type, stream, revision, position } = stored;
    const metadata = wholeMetadata(short, stream);
    const { occurredAt, schemaVersion = 1 } = metadata;
    const current = this.upcast(stored, data, schemaVersion);
    return {
      eventId,
      type,
      schemaVersion: versionOf(this.definitionOf(type), current),
      stream,
      revision,
      position,
      occurredAt,
      data: current,
      metadata,
    } as unknown as RecordedEvent<E>;
  }

  private upcast(stored: StoredEvent, data: JsonObject, from: number): JsonObject {
    this.checkType(stored);
    const definition = this.definitionOf(stored.type);
    if (!Number.isInteger(from) || from < 1 || from > definition.version) {
      throw new UnknownEvent(stored, `its schema version ${from} is not known here`);
    }
    let current = data;
    for (let version = from; version < definition.version; version++) {
      try {
        current = definition.upcasters?.[version]?.(current) ?? current;
      } catch (error) {
        throw new UndecodableEvent(stored, `its data is not of schema version ${version}`, { cause: error });
      }
    }
    return current;
  }

  private definitionOf(type: string): EventDefinition {
    const definition = this.definitions.get(type);
    if (definition) return definition;
    throw new InvalidEventCatalogue(
      `event type ${type}`,
      'it is not declared',
      'Add it to the event definitions of its lib',
    );
  }
}

function versionOf(definition: EventDefinition, data: JsonObject): number {
  return definition.versionOf?.(data) ?? definition.version;
}

/** An event as it is stored in this document. */
export function toStore({ eventId, event }: NewEvent, { data, metadata }: StoredDocument): EventToStore {
  return { eventId, type: event.type, data: jsonText(data), metadata: jsonText(metadata) };
}

function parsed(stored: StoredEvent): StoredDocument {
  const metadata = metadataIn(stored);
  const data = parseJsonObject(stored.data);
  if (!data) throw new UndecodableEvent(stored, 'its data is not a JSON object');
  return { data, metadata };
}

function metadataIn(stored: StoredEvent): JsonObject {
  const metadata = parseJsonObject(stored.metadata);
  if (metadata) return metadata;
  throw new UndecodableEvent(stored, 'its metadata is not a JSON object');
}

function encodingIn(stored: StoredEvent, metadata: JsonObject): Required<EventEncoding> {
  const encoding = encodingOf(metadata);
  if (encoding) return encoding;
  throw new UndecodableEvent(stored, 'its encoding is not known here');
}

/** Data and metadata as they were given: with the moved members put back, and those that are encrypted decrypted. */
function whole(
  stored: StoredEvent,
  document: StoredDocument,
  texts: BlobTexts,
  decrypt?: Decrypt,
): StoredDocument {
  const { blobs, encrypted } = encodingIn(stored, document.metadata);
  for (const blob of blobs) {
    const text = texts.get(blob.sha256);
    if (text === undefined) {
      throw new UndecodableEvent(
        stored,
        `the blob of ${blob.pointer}, ${blob.sha256}, is missing or changed`,
      );
    }
    if (!putBack(document, blob, text)) {
      throw new UndecodableEvent(stored, `the blob of ${blob.pointer} does not belong there`);
    }
  }
  if (encrypted.length > 0) {
    if (!decrypt) throw new UndecodableEvent(stored, 'it is encrypted, and its key was not looked up');
    decrypt(document, encrypted);
  }
  const { encoding: _encoding, ...metadata } = document.metadata;
  return { data: document.data, metadata };
}

/**
 * Members that readers can tell are left out, and put back by `wholeMetadata`: in every event the actor where it is the engine, and the
 * correlation id where it is the id of the stream; in an event without a command also the cause where it is that id.
 */
function shortened(metadata: NewEvent['metadata'], stream: string): object {
  const { correlationId, causationId, commandId, actor } = metadata;
  const id = idInStream(stream);
  return {
    ...metadata,
    ...(correlationId === id && { correlationId: undefined }),
    ...(causationId === id && commandId === undefined && { causationId: undefined }),
    ...(actor === ENGINE_ACTOR && { actor: undefined }),
  };
}

/** Any shape that `encode` does not write is found where it is used: `upcast` checks the version. */
function wholeMetadata(metadata: JsonObject, stream: string): EventMetadata {
  const id = idInStream(stream);
  const { correlationId = id, commandId, causationId = id, actor = ENGINE_ACTOR } = metadata;
  const cause = commandId === undefined && { causationId };
  return { ...metadata, correlationId, ...cause, actor } as unknown as EventMetadata;
}
