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
import type { PlaceOfValue, SubjectKey } from './subject-key.js';

/** The key of an erased subject. */
export const ERASED = 'erased';
/** The text that stands for a text of an erased subject. */
export const ERASED_TEXT = '[erased]';

export type FoundKey = SubjectKey | typeof ERASED;

/** The first character of an encrypted value: a text, which reads `[erased]` one day, or any other value, which is left out then. */
const TEXT = 't';
const OTHER = 'v';

const DATA = '/data';

type Event = Omit<PlaceOfValue, 'pointer'>;
type Replace = (value: unknown, pointer: string) => unknown;

/** All of a document's members: those of data that is content as a whole are encrypted one by one. */
function kindsOfDocument(data: MemberKinds): MemberKinds {
  return { data: typeof data === 'string' ? { '*': data } : data, metadata: metadataMembers };
}

/**
 * The document of an event with its content, and what is derived of that, encrypted: each value by itself, with its pointer in
 * `metadata.encoding`. Of an erased subject there is nothing but the kind of each value.
 */
export function encryptMembers(
  document: StoredDocument,
  kinds: MemberKinds,
  key: FoundKey,
  event: Event,
): StoredDocument {
  const encrypted: string[] = [];
  const replace: Replace = (value, pointer) => {
    encrypted.push(pointer);
    const kind = typeof value === 'string' ? TEXT : OTHER;
    return key === ERASED ? kind : kind + key.encrypt(jsonText(value), { ...event, pointer });
  };
  const replaced = replacedIn(document, kindsOfDocument(kinds), '', replace) as StoredDocument;
  if (encrypted.length === 0) return replaced;
  return { ...replaced, metadata: { ...replaced.metadata, encoding: { encrypted } } };
}

/** A copy in which values that are not structure are replaced. What has another shape than declared is no structure. */
function replacedIn(value: unknown, kinds: MemberKinds, pointer: string, replace: Replace): unknown {
  if (kinds === 'structure' || value === null || value === undefined) return value;
  if (typeof kinds === 'string') return replace(value, pointer);
  if (Array.isArray(value) && isList(kinds)) {
    return value.map((item, index) => replacedIn(item, kinds[0], `${pointer}/${index}`, replace));
  }
  if (!isJsonObject(value) || isList(kinds)) return replace(value, pointer);
  // The members are the copy's own: even one called __proto__ is set as any other.
  const copy: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(value)) {
    const own = ownMember(kinds, name) ?? ownMember(kinds, '*') ?? 'content';
    if (own !== 'structure')
      copy[name] = replacedIn(member, own, `${pointer}/${escapePointerToken(name)}`, replace);
  }
  return copy;
}

function isList(kinds: Exclude<MemberKinds, string>): kinds is readonly [MemberKinds] {
  return Array.isArray(kinds);
}

/**
 * Puts the values at these pointers back as they were, in the document itself; those of an erased subject read `[erased]`, or are left
 * out.
 * @param blanks by pointer into data: what stands for a value that is no text
 * @returns the pointer of one that does not open there; `undefined` if all do
 */
export function decryptMembers(
  document: StoredDocument,
  pointers: readonly string[],
  key: FoundKey,
  event: Event,
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
    // The member is the parent's own: even one called __proto__ is set as any other.
    holder.parent[holder.name] = JSON.parse(value);
  }
  return undefined;
}

interface Holder {
  readonly parent: Record<string, unknown>;
  readonly name: string;
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
