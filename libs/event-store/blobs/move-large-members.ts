import {
  type BlobReference,
  escapePointerToken,
  type EventEncoding,
  jsonText,
  parseJsonObject,
  sha256,
} from '#lib/kernel';
import { appendSize, LARGEST_APPEND } from '../append-size.js';
import type { EventToStore } from '../event-store.js';
import type { StoredDocument } from './put-back.js';

/** A value that is stored apart from its event. */
export interface Blob {
  /** The JSON text of the value. */
  readonly text: string;
  /** SHA-256 of the text. It is the blob's name. */
  readonly sha256: string;
}

interface MovedMembers {
  readonly events: readonly EventToStore[];
  /** Each blob once. */
  readonly blobs: readonly Blob[];
}

/** Values of at most this many bytes of JSON text stay in the event. */
const LARGEST_VALUE = 262_144;
/**
 * Large values are looked for at most so many levels deep, and not in an object or a list with more members than this. It bounds how often a text is
 * made. Deeper values are stored with the value that holds them.
 */
const LEVELS = 6;
const MOST_MEMBERS = 100;
/** The longest name of a member that is taken out alone, because its pointer stays in the event. */
const LONGEST_NAME = 256;
const MOST_BYTES_OF_A_CHARACTER = 3;

/** An upper bound of the bytes of a reference in the metadata of its event, without its pointer. */
const REFERENCE_BYTES = 200;

/** A value over the limit, with the object or list that holds it. */
interface Large extends Pick<Blob, 'text'>, Pick<BlobReference, 'pointer' | 'bytes'> {
  readonly parent: object;
  readonly name: string;
}

type Moved = Blob & BlobReference;

/** An event, and the values that were taken out of it. */
interface Opened {
  readonly event: EventToStore;
  readonly document: StoredDocument;
  readonly moved: readonly Moved[];
}

/**
 * Takes the values over 256 KiB out of the data and the metadata of an append. The innermost ones are taken, so that a value that several events
 * hold, at any place, is one blob. If the append still does not fit, whole members of data and metadata follow, the largest first, until it fits or
 * none is over 256 KiB.
 */
export function moveLargeMembers(stream: string, events: readonly EventToStore[]): MovedMembers {
  if (!events.some(mayHoldLarge)) return { events, blobs: [] };
  const opened = events.map((event) => (mayHoldLarge(event) ? withoutInnermost(event) : event));
  const excess = appendSize(stream, opened.map(closed)) - LARGEST_APPEND;
  const all = excess > 0 ? withoutLargest(opened, excess) : opened;
  const moved = all.flatMap((one) => ('moved' in one ? one.moved : []));
  const blobs = new Map(moved.map(({ sha256: hash, text }) => [hash, { sha256: hash, text }]));
  return { events: all.map(closed), blobs: [...blobs.values()] };
}

function mayHoldLarge({ data, metadata }: EventToStore): boolean {
  return mayBeLarge(data) || mayBeLarge(metadata);
}

function mayBeLarge(json: string): boolean {
  return json.length * MOST_BYTES_OF_A_CHARACTER > LARGEST_VALUE && Buffer.byteLength(json) > LARGEST_VALUE;
}

function withoutInnermost(event: EventToStore): Opened {
  const document = {
    data: parseJsonObject(event.data) ?? {},
    metadata: parseJsonObject(event.metadata) ?? {},
  };
  const moved = topMembers(document)
    .flatMap((member) => innermost(member, LEVELS))
    .map(takeOut);
  return { event, document, moved };
}

/** The large members of data and metadata, without those that readers need before they read the blobs. */
function topMembers({ data, metadata }: StoredDocument): readonly Large[] {
  const ofMetadata = largeIn(metadata, '/metadata').filter(({ name }) => name !== 'encoding');
  return [...largeIn(data, '/data'), ...ofMetadata];
}

/** The innermost large values in this one; the value itself if it holds no large one. */
function innermost(large: Large, levels: number): readonly Large[] {
  const value = (large.parent as Record<string, unknown>)[large.name];
  if (typeof value !== 'object' || value === null || levels === 0) return [large];
  const inner = largeIn(value, large.pointer);
  return inner.length === 0 ? [large] : inner.flatMap((one) => innermost(one, levels - 1));
}

function largeIn(parent: object, pointer: string): readonly Large[] {
  const members = Object.entries(parent) as [string, unknown][];
  if (members.length > MOST_MEMBERS) return [];
  const large = members.flatMap(([name, value]) => {
    if (typeof value !== 'object' && typeof value !== 'string') return [];
    const text = jsonText(value);
    if (!mayBeLarge(text)) return [];
    const at = `${pointer}/${escapePointerToken(name)}`;
    return { parent, name, pointer: at, text, bytes: Buffer.byteLength(text) };
  });
  return large.some(({ name }) => name.length > LONGEST_NAME) ? [] : large;
}

/** Takes a value out; null keeps its place. The member is the parent's own, so even `__proto__` is set as any other. */
function takeOut({ parent, name, text, pointer, bytes }: Large): Moved {
  (parent as Record<string, unknown>)[name] = null;
  return { text, pointer, bytes, sha256: sha256(text) };
}

/**
 * Takes out whole members, the largest first. Readers put values back in the order of the references, so a member comes before the values that were
 * taken out of it.
 */
function withoutLargest(all: readonly (Opened | EventToStore)[], excess: number): typeof all {
  const members = all.flatMap((one) =>
    'moved' in one ? topMembers(one.document).map((member) => ({ one, member })) : [],
  );
  const taken = new Map<Opened, readonly Moved[]>();
  let left = excess;
  for (const { one, member } of members.toSorted((a, b) => b.member.bytes - a.member.bytes)) {
    if (left <= 0) break;
    taken.set(one, [...(taken.get(one) ?? []), takeOut(member)]);
    left -= member.bytes - REFERENCE_BYTES - Buffer.byteLength(member.pointer) * 2;
  }
  return all.map((one) =>
    'moved' in one ? { ...one, moved: [...(taken.get(one) ?? []), ...one.moved] } : one,
  );
}

/** The event as it is stored, without the values that were taken out. */
function closed(one: Opened | EventToStore): EventToStore {
  if (!('moved' in one)) return one;
  const { event, document, moved } = one;
  if (moved.length === 0) return event;
  const blobs = moved.map(({ pointer, sha256: hash, bytes }): BlobReference => {
    return { pointer, sha256: hash, bytes };
  });
  const encoding = { ...(document.metadata['encoding'] as EventEncoding | undefined), blobs };
  const data = jsonText(document.data);
  return { ...event, data, metadata: jsonText({ ...document.metadata, encoding }) };
}
