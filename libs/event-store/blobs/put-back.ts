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

/** The encoding of an event's values; `undefined` if this version does not know it. */
export function encodingOf({ encoding }: JsonObject): Required<EventEncoding> | undefined {
  if (encoding === undefined) return { encrypted: [], blobs: [] };
  if (!isEncoding(encoding)) return undefined;
  const { encrypted = [], blobs = [] } = encoding;
  return { encrypted, blobs };
}

/** Puts a value back in its place in this document. False if it cannot have been at that place. */
export function putBack(document: StoredDocument, { pointer }: BlobReference, text: string): boolean {
  const tokens = pointerTokens(pointer) ?? [];
  const name = tokens.at(-1);
  if (name === undefined || tokens.length < 2) return false;
  let parent: unknown = document;
  for (const token of tokens.slice(0, -1)) parent = memberOf(parent, token);
  if (memberOf(parent, name) !== null) return false;
  // The member is the parent's own, so even `__proto__` is set as any other.
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
  if (!isJsonObject(value)) return false;
  const { encrypted, blobs, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    Object.keys(value).length > 0 &&
    isListOf(encrypted, (pointer) => typeof pointer === 'string') &&
    isListOf(blobs, isReference)
  );
}

/** Whether a list is absent, or has items that all fit. */
function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isItem));
}

function isReference(value: unknown): value is BlobReference {
  if (!isJsonObject(value)) return false;
  const { pointer, sha256, bytes } = value;
  return typeof pointer === 'string' && typeof sha256 === 'string' && Number.isSafeInteger(bytes);
}
