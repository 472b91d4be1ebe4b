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

/** A stored event of a type or schema version that this build does not have. A newer build wrote it. */
export class UnknownEvent extends UndecodableEvent {
  override readonly answer = { status: 503, code: 'unknown-event' };
}

/** An event that would be read in another form than it was given. A bug; the event is not written. */
export class UnstorableEvent extends RedialError {}

/** An event that is about to be appended. */
export interface NewEvent<E extends Event = Event> {
  readonly eventId: string;
  readonly event: E;
  readonly metadata: Omit<EventMetadata, 'schemaVersion' | 'encoding'>;
}

/** The texts of blobs by their SHA-256; `undefined` for a blob that is missing or was changed. */
export type BlobTexts = ReadonlyMap<string, string | undefined>;

/** Decrypts the values at these pointers in the document itself. */
export type Decrypt = (document: StoredDocument, pointers: readonly string[]) => void;

const NO_BLOBS: BlobTexts = new Map();

/** The parts that an event is decoded with, besides its own texts. */
export interface Needs {
  readonly blobs: readonly BlobReference[];
  /** The subject whose key decrypts the event. */
  readonly subject?: string;
}

/** The needs of an event that is complete in its texts. */
export const NO_NEEDS: Needs = { blobs: [] };

/** Whether an event with these needs is decoded from its texts alone. */
export function isInTexts({ blobs, subject }: Needs): boolean {
  return blobs.length === 0 && subject === undefined;
}

/** Encodes events as stored text and decodes them. Readers only get the newest version of an event. */
export class EventCodec {
  private readonly definitions: ReadonlyMap<string, EventDefinition>;

  /** @throws InvalidEventCatalogue if a type is declared twice or its chain of upcasters has a gap */
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

  /** The kinds of an event's data in each of its schema versions, from the first on. @throws InvalidEventCatalogue */
  membersOf(type: string): readonly MemberKinds[] {
    const { version, members = 'content', earlier } = this.definitionOf(type);
    return Array.from({ length: version }, (_, index) => earlier?.[index + 1] ?? members);
  }

  /** The values that replace erased content, by JSON pointer into data of this type. @throws InvalidEventCatalogue */
  blanksOf(type: string): JsonObject {
    return this.definitionOf(type).blanks ?? {};
  }

  /** Leaves out undefined members, and members that follow from the stream's name. @throws UnstorableEvent */
  encode(event: NewEvent, stream: string): EventToStore {
    return toStore(event, this.documentOf(event, stream).document);
  }

  /** The document in which `encode` stores an event, and the kinds of its data. @throws UnstorableEvent */
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

  /**
   * The parts that `EventLog.decode` gives to `decode`. Most events need none, and their metadata is not parsed then. The data is never parsed.
   * @throws UndecodableEvent
   */
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
   * Decodes an event. `EventLog.decode` also reads the blobs and keys; an event that is complete in its texts needs none.
   * @throws UndecodableEvent for an unknown type or version, for text that is not a JSON object, for data an upcaster cannot take, for a blob that is
   * missing or was changed, for an encrypted value without a key.
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

/** An event as it is stored, with this document. */
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

/** Data and metadata as they were given: the moved members are put back, and the encrypted ones are decrypted. */
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
 * Leaves out members that `wholeMetadata` puts back: in every event the actor if it is the engine, and the correlation id if it is the id of the
 * stream; in an event without a command also the cause if it is that id.
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

/** Does not check the shape: a shape that `encode` does not write is found where it is used, and `upcast` checks the version. */
function wholeMetadata(metadata: JsonObject, stream: string): EventMetadata {
  const id = idInStream(stream);
  const { correlationId = id, commandId, causationId = id, actor = ENGINE_ACTOR } = metadata;
  const cause = commandId === undefined && { causationId };
  return { ...metadata, correlationId, ...cause, actor } as unknown as EventMetadata;
}
