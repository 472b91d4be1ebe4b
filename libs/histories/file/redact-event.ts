import { type EventCodec, type MemberKinds, metadataMembers } from '#lib/event-store';
import { isJsonObject, type Json, type JsonObject, ownMember, sha256 } from '#lib/kernel';
import type { EventLine } from './history-lines.js';

/** An event without content and values derived from content, with the hashes of its original texts. An undeclared member counts as content. */
export function redactedEvent(
  codec: EventCodec,
  event: EventLine,
  texts: { data: string; metadata: string },
): EventLine {
  const kinds = codec.membersOf(event.type)[event.schemaVersion - 1] ?? 'content';
  return {
    ...event,
    data: structureOf(event.data, kinds),
    metadata: structureOf(event.metadata, metadataMembers),
    dataSha256: sha256(texts.data),
    metadataSha256: sha256(texts.metadata),
  };
}

function structureOf(value: JsonObject, kinds: MemberKinds): JsonObject {
  return (left(value, kinds) ?? {}) as JsonObject;
}

/** The structure in a value; `undefined` if it has none. */
function left(value: Json, kinds: MemberKinds): Json | undefined {
  if (typeof kinds === 'string') return kinds === 'structure' ? value : undefined;
  if (isList(kinds)) {
    const items = Array.isArray(value) ? (value as readonly Json[]) : [];
    return items.flatMap((item) => left(item, kinds[0]) ?? []);
  }
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, member = null]) => {
    const ofMember = ownMember(kinds, name) ?? ownMember(kinds, '*') ?? 'content';
    return [name, left(member, ofMember)] as const;
  });
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function isList(kinds: Exclude<MemberKinds, string>): kinds is readonly [MemberKinds] {
  return Array.isArray(kinds);
}
