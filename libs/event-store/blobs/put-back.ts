import {
  type BlobReference,
  type EventEncoding,
  isJsonObject,
  type JsonObject,
  ownMember,
  pointerTokens,
} from '#lib/kernel';

/** `{ data, metadata }` of a stored event, freshly parsed. */
export interface StoredDocument {
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** The members that were moved out of an event; `undefined` when this version does not know the encoding. */
export function blobReferences(metadata: JsonObject): readonly BlobReference[] | undefined {
  const encoding = metadata['encoding'];
  if (encoding === undefined) return [];
  return isEncoding(encoding) ? encoding.blobs : undefined;
}

/** Puts a value back where it was taken from, in the document itself. False if it cannot have been there. */
export function putBack(document: StoredDocument, { pointer }: BlobReference, text: string): boolean {
  const tokens = pointerTokens(pointer) ?? [];
  const name = tokens.at(-1);
  if (name === undefined || tokens.length < 2) return false;
  let parent: unknown = document;
  for (const token of tokens.slice(0, -1)) parent = memberOf(parent, token);
  if (memberOf(parent, name) !== null) return false;
  // The member is the parent's own: even one called __proto__ is set as any other.
  try {
    (parent as Record<string, unknown>)[name] = JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return ownMember(value as Record<string, unknown>, name);
}

function isEncoding(value: unknown): value is EventEncoding {
  if (!isJsonObject(value) || Object.keys(value).join() !== 'blobs') return false;
  const blobs = value['blobs'];
  return Array.isArray(blobs) && blobs.length > 0 && blobs.every(isReference);
}

function isReference(value: unknown): value is BlobReference {
  if (!isJsonObject(value)) return false;
  const { pointer, sha256, bytes } = value;
  return typeof pointer === 'string' && typeof sha256 === 'string' && Number.isSafeInteger(bytes);
}
