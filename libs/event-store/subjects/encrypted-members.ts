import {
  escapePointerToken,
  isJsonObject,
  type JsonObject,
  jsonText,
  ownMember,
  pointerTokens,
} from '#lib/kernel';
import type { StoredDocument } from '../blobs/put-back.js';
import { type MemberKinds, metadataMembers } from '../event-members.js';
import type { EventOfValues, SubjectKey } from './subject-key.js';

/** In place of the key of an erased subject. */
export const ERASED = 'erased';
/** The text that replaces a text of an erased subject. */
export const ERASED_TEXT = '[erased]';

export type FoundKey = SubjectKey | typeof ERASED;

/**
 * The first character of an encrypted value. `t` is a text, which reads `[erased]` after an erasure; `v` is any other value, which is left out then.
 */
const TEXT = 't';
const OTHER = 'v';

const DATA = '/data';

/** The kinds of the members of an object or a list. */
type Shape = Exclude<MemberKinds, string>;

/** A place in a document. */
interface Holder {
  readonly parent: Record<string, unknown>;
  readonly name: string;
}

/** The kinds of all of a document's members. Members of data that is content as a whole are encrypted one by one. */
function kindsOfDocument(data: MemberKinds): Shape {
  return { data: typeof data === 'string' ? { '*': data } : data, metadata: metadataMembers };
}

/**
 * The document of an event with its `content` and `derived` members encrypted, each value by itself, with its pointer in `metadata.encoding`. For an
 * erased subject, only the kind of each value is stored.
 */
export function encryptMembers(
  document: StoredDocument,
  kinds: MemberKinds,
  key: FoundKey,
  event: EventOfValues,
): StoredDocument {
  const found = new Map<string, Holder>();
  const copy = copyOf(document, kindsOfDocument(kinds), '', found) as StoredDocument;
  if (found.size === 0) return copy;
  const pointers = [...found.keys()];
  const encrypted = key === ERASED ? [] : key.encryptAll(textsAt(found), event);
  for (const [index, { parent, name }] of [...found.values()].entries())
    parent[name] = (typeof parent[name] === 'string' ? TEXT : OTHER) + (encrypted[index] ?? '');
  return { ...copy, metadata: { ...copy.metadata, encoding: { encrypted: pointers } } };
}

function textsAt(found: ReadonlyMap<string, Holder>): Map<string, string> {
  return new Map(Array.from(found, ([pointer, { parent, name }]) => [pointer, jsonText(parent[name])]));
}

/**
 * A copy in which values that are not structure can be replaced. Their places are added to `found`, by pointer. A value whose shape differs from the
 * declared one is not structure.
 */
function copyOf(value: object, kinds: Shape, pointer: string, found: Map<string, Holder>): object {
  // The members are the copy's own, so even `__proto__` is set as any other.
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    const own = kindsOf(kinds, name);
    if (own === 'structure' || member === null || member === undefined) continue;
    const at = `${pointer}/${escapePointerToken(name)}`;
    if (typeof own !== 'string' && hasShape(member, own)) copy[name] = copyOf(member, own, at, found);
    else found.set(at, { parent: copy, name });
  }
  return copy;
}

function kindsOf(kinds: Shape, name: string): MemberKinds {
  return isList(kinds) ? kinds[0] : (ownMember(kinds, name) ?? ownMember(kinds, '*') ?? 'content');
}

function hasShape(value: unknown, kinds: Shape): value is object {
  return isList(kinds) ? Array.isArray(value) : isJsonObject(value);
}

function isList(kinds: Shape): kinds is readonly [MemberKinds] {
  return Array.isArray(kinds);
}

/**
 * Puts the values at these pointers back in this document. Those of an erased subject read `[erased]`, or are left out.
 * @param blanks the values that replace erased values that are no text, by pointer into data
 * @returns the pointer of a value that does not open there; `undefined` if all do
 */
export function decryptMembers(
  document: StoredDocument,
  pointers: readonly string[],
  key: FoundKey,
  event: EventOfValues,
  blanks: JsonObject = {},
): string | undefined {
  // From the last one on, so that items that are left out of a list do not move those before them.
  for (const pointer of pointers.toReversed()) {
    const holder = holderOf(document, pointer);
    const text = holder && ownMember(holder.parent, holder.name);
    if (!holder || typeof text !== 'string') return pointer;
    if (key === ERASED) {
      erase(holder, text.startsWith(TEXT) ? ERASED_TEXT : ownMember(blanks, pointer.slice(DATA.length)));
      continue;
    }
    const value = key.decrypt(text.slice(1), { ...event, pointer });
    if (value === undefined) return pointer;
    // The member is the parent's own, so even `__proto__` is set as any other.
    holder.parent[holder.name] = JSON.parse(value);
  }
  return undefined;
}

function holderOf(document: StoredDocument, pointer: string): Holder | undefined {
  const tokens = pointerTokens(pointer) ?? [];
  const name = tokens.at(-1);
  let parent: unknown = document;
  for (const token of tokens.slice(0, -1)) {
    if (typeof parent !== 'object' || parent === null) return undefined;
    parent = ownMember(parent as Record<string, unknown>, token);
  }
  if (name === undefined || typeof parent !== 'object' || parent === null) return undefined;
  return { parent: parent as Record<string, unknown>, name };
}

function erase({ parent, name }: Holder, instead: unknown): void {
  if (instead !== undefined) parent[name] = structuredClone(instead);
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
}
