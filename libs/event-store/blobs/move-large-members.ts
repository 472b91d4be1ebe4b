import {
  type BlobReference,
  escapePointerToken,
  type JsonObject,
  jsonText,
  parseJsonObject,
  sha256,
} from '#lib/kernel';
import { appendSize, LARGEST_APPEND } from '../append-size.js';
import type { EventToStore } from '../event-store.js';

/** Members that are stored apart from their event. */
export interface Blob {
  /** JSON text of a value. */
  readonly text: string;
  /** SHA-256 of the text: its name. */
  readonly sha256: string;
}

interface MovedMembers {
  readonly events: readonly EventToStore[];
  /** Each once. */
  readonly blobs: readonly Blob[];
}

/** Members of at most this many bytes stay in the event. */
const LARGEST_MEMBER = 262_144;

/** More than a reference takes, beside its pointer, in the metadata of its event. */
const REFERENCE_BYTES = 200;

type Part = 'data' | 'metadata';

interface Member extends Blob {
  readonly event: number;
  readonly part: Part;
  readonly name: string;
  readonly bytes: number;
}

/**
 * Takes the largest members out of the data and the metadata of an append until it fits, or there is none over 256 KiB.
 * Whole members of these two are moved, never parts of one, and as few as possible.
 */
export function moveLargeMembers(stream: string, events: readonly EventToStore[]): MovedMembers {
  const members = events.flatMap((event, index) => [
    ...largeMembers(event.data, index, 'data'),
    ...largeMembers(event.metadata, index, 'metadata'),
  ]);
  const moved = largestFirst(members, appendSize(stream, events) - LARGEST_APPEND);
  const blobs = new Map(moved.map(({ sha256: hash, text }) => [hash, { sha256: hash, text }]));
  return {
    events: events.map((event, index) =>
      without(
        event,
        moved.filter((member) => member.event === index),
      ),
    ),
    blobs: [...blobs.values()],
  };
}

function largeMembers(json: string, event: number, part: Part): Member[] {
  if (json.length * 3 <= LARGEST_MEMBER) return [];
  return Object.entries(parseJsonObject(json) ?? {}).flatMap(([name, value]) => {
    const text = jsonText(value);
    const bytes = Buffer.byteLength(text);
    return bytes > LARGEST_MEMBER ? [{ event, part, name, text, bytes, sha256: sha256(text) }] : [];
  });
}

function largestFirst(members: readonly Member[], excess: number): readonly Member[] {
  const moved: Member[] = [];
  let left = excess;
  for (const member of members.toSorted((one, other) => other.bytes - one.bytes)) {
    if (left <= 0) break;
    moved.push(member);
    left -= member.bytes - REFERENCE_BYTES - Buffer.byteLength(pointerOf(member)) * 2;
  }
  return moved;
}

function without(event: EventToStore, moved: readonly Member[]): EventToStore {
  if (moved.length === 0) return event;
  const blobs = moved.map((member): BlobReference => {
    return { pointer: pointerOf(member), sha256: member.sha256, bytes: member.bytes };
  });
  const metadata = emptied(event.metadata, moved, 'metadata');
  return {
    ...event,
    data: jsonText(emptied(event.data, moved, 'data')),
    metadata: jsonText({ ...metadata, encoding: { blobs } }),
  };
}

/** Null keeps the place of a member among the others. */
function emptied(json: string, moved: readonly Member[], part: Part): JsonObject {
  const names = moved.filter((member) => member.part === part).map(({ name }) => [name, null]);
  return { ...parseJsonObject(json), ...(Object.fromEntries(names) as JsonObject) };
}

function pointerOf({ part, name }: Member): string {
  return `/${part}/${escapePointerToken(name)}`;
}
