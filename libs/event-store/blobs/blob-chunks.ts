import { derivedId, type JsonObject, jsonText, parseJsonObject } from '#lib/kernel';
import { fitsOneAppend } from '../append-size.js';
import type { EventToStore, StoredEvent } from '../event-store.js';
import type { Blob } from './move-large-members.js';

/** One piece of a blob, in the storage format. The blob is the `text` of all pieces, in order. */
interface BlobChunk {
  /** From 0. It is the chunk's revision, too. */
  readonly index: number;
  readonly count: number;
  readonly text: string;
}

/**
 * In UTF-16 units, so that a chunk fits into an append whatever its characters are. Part of the format: every version must cut a blob in the same
 * way, so that each can finish a blob that another one began.
 */
const CHUNK_LENGTH = 300_000;

/** The namespace in which ids of chunks derive from hash and index. */
const NAMESPACE = 'f3b0f8a4-6f0e-5d0c-9a53-0d2c6c4f7f11';

const METADATA = '{}';
const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** The events of a blob. The same text always gives the same bytes, so storing it again repeats the appends. */
export function chunksOf({ text, sha256 }: Blob): readonly EventToStore[] {
  const pieces = cut(text);
  return pieces.map((piece, index) => {
    const data: BlobChunk = { index, count: pieces.length, text: piece };
    return {
      eventId: derivedId(NAMESPACE, `${sha256} ${index}`),
      type: 'BlobChunk',
      data: jsonText(data),
      metadata: METADATA,
    };
  });
}

/** Groups successive chunks, as many as one append may hold. */
export function inAppends(stream: string, chunks: readonly EventToStore[]): readonly EventToStore[][] {
  const appends: EventToStore[][] = [];
  for (const chunk of chunks) {
    const last = appends.at(-1);
    if (last && fitsOneAppend(stream, [...last, chunk])) last.push(chunk);
    else appends.push([chunk]);
  }
  return appends;
}

/** The text in the events of a blob, as far as they have it. The hash shows whether it is whole. */
export function textOfChunks(events: readonly StoredEvent[]): string {
  return events.map(({ data }) => textMember(parseJsonObject(data))).join('');
}

function textMember(data: JsonObject | undefined): string {
  const text = data?.['text'];
  return typeof text === 'string' ? text : '';
}

/** Never cuts between the two halves of a surrogate pair, because one half has no UTF-8 text. */
function cut(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + CHUNK_LENGTH);
    const whole =
      from + piece.length < text.length && HIGH_SURROGATE.test(piece) ? piece.slice(0, -1) : piece;
    pieces.push(whole);
    from += whole.length;
  }
  return pieces;
}
