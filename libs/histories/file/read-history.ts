import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isDeeperThan, isJsonObject, jsonText, parseJsonObject, sha256 } from '#lib/kernel';
import { type FileLine, fileLines } from './file-lines.js';
import { HistoryBroken } from './history-broken.js';
import {
  type BlobLine,
  blobText,
  type EndLine,
  type EventLine,
  type HistoryHead,
  type KeysLine,
  MOST_LEVELS,
} from './history-lines.js';
import { type BodyLine, readBodyLine, readHead, type Refused, TOO_DEEP } from './read-line.js';

/** A part of a history file, and the place of its line. */
export type HistoryPart = { readonly offset: number; readonly length: number } & (
  | { readonly is: 'head'; readonly head: HistoryHead }
  | { readonly is: 'keys'; readonly keys: KeysLine['keys'] }
  | { readonly is: 'blob'; readonly sha256: string; readonly text: string }
  | { readonly is: 'event'; readonly event: EventLine }
  | { readonly is: 'end'; readonly sha256: string }
);

/**
 * Reads and checks a history file: the form of each line, revisions without gaps, each blob before the events that use it, and
 * the checksum. The file is whole only if the generator ends without an error. Memory holds one line, the names of the streams
 * and the hashes of the blobs.
 * @throws HistoryBroken with the line at which the first break was found
 */
export async function* readHistory(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<HistoryPart> {
  let walk: HistoryWalk | undefined;
  let last = 0;
  for await (const line of fileLines(chunks)) {
    last = line.number;
    if (walk) yield walk.take(line);
    else {
      walk = new HistoryWalk(taken(readHead(textOf(line)), line.number), line);
      yield { is: 'head', head: walk.head, ...placeOf(line) };
    }
  }
  if (!walk?.hasEnded) throw new HistoryBroken(last + 1, 'the last line is missing: the file was cut off');
}

/** The text of a line. @throws HistoryBroken if its bytes are not UTF-8 */
function textOf({ number, bytes }: FileLine): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new HistoryBroken(number, 'its bytes are not UTF-8', { cause: error });
  }
}

function taken<T extends object>(read: T | Refused, line: number): T {
  if ('refused' in read) throw new HistoryBroken(line, read.refused);
  return read;
}

function placeOf({ offset, bytes }: FileLine) {
  return { offset, length: bytes.length };
}

/** The number of the line of keys. */
const KEYS_AT = 2;

/** The checks across lines. */
class HistoryWalk {
  readonly #sum = createHash('sha256');
  /** The next revision and the number of events of each stream. */
  readonly #streams: ReadonlyMap<string, { next: number; readonly events: number }>;
  /** The size of each blob in bytes, by its hash. */
  readonly #blobs = new Map<string, number>();
  /** Blobs since the last event that no event uses yet. */
  readonly #unused = new Set<string>();
  #events = 0;
  hasEnded = false;

  constructor(
    readonly head: HistoryHead,
    first: FileLine,
  ) {
    this.#streams = new Map(head.streams.map(({ stream, events }) => [stream, { next: 0, events }]));
    if (this.#streams.size < head.streams.length)
      throw new HistoryBroken(first.number, 'it names a stream twice');
    if (!isOfRoot(head)) throw new HistoryBroken(first.number, 'its first stream is not that of its root');
    this.#count(first);
  }

  /** @throws HistoryBroken */
  take(line: FileLine): HistoryPart {
    const { number } = line;
    if (this.hasEnded) throw new HistoryBroken(number, 'there is a line after the last one');
    const body = taken<BodyLine>(readBodyLine(textOf(line), this.head.redaction), number);
    const place = placeOf(line);
    if (body.is === 'end') {
      const why = this.#wrongEnd(body);
      if (why !== undefined) throw new HistoryBroken(number, why);
      this.hasEnded = true;
      return { is: 'end', sha256: body.sha256, ...place };
    }
    this.#count(line);
    if (body.is === 'keys') {
      if (number !== KEYS_AT || this.head.redaction !== 'none')
        throw new HistoryBroken(number, 'keys stand in the second line alone, and in no redacted file');
      return { is: 'keys', keys: body.keys, ...place };
    }
    if (body.is === 'blob') return { is: 'blob', ...this.#takeBlob(body, number), ...place };
    const { is, ...event } = body;
    const why = this.#wrongEvent(event);
    if (why !== undefined) throw new HistoryBroken(number, why);
    this.#events += 1;
    return { is, event, ...place };
  }

  #count({ bytes }: FileLine): void {
    this.#sum.update(bytes).update('\n');
  }

  #takeBlob(line: BlobLine, number: number): { sha256: string; text: string } {
    const { blob } = line;
    const why = this.#wrongBlob(line);
    if (why !== undefined) throw new HistoryBroken(number, why);
    const text = blobText(line);
    this.#blobs.set(blob, Buffer.byteLength(text));
    this.#unused.add(blob);
    return { sha256: blob, text };
  }

  #wrongBlob(line: BlobLine): string | undefined {
    const forms = ['text', 'base64'].filter((name) => name in line);
    if (forms.length !== 1) return 'a blob has either text or base64';
    if (this.head.redaction !== 'none') return 'a redacted file has no blobs';
    if (this.#blobs.has(line.blob)) return `the blob ${line.blob} comes twice`;
    const bytes = 'text' in line ? Buffer.from(line.text) : Buffer.from(line.base64, 'base64');
    if (!isUtf8(bytes)) return 'the bytes of the blob are not UTF-8, as those of every value are';
    if (sha256(bytes) !== line.blob) return `the bytes of the blob are not those of ${line.blob}`;
    return isDeeperThan(parseJsonObject(`{"of":${blobText(line)}}`), MOST_LEVELS) ? TOO_DEEP : undefined;
  }

  #wrongEvent(event: EventLine): string | undefined {
    const { stream, revision, metadata, occurredAt, schemaVersion } = event;
    const known = this.#streams.get(stream);
    if (!known) return `the first line does not name the stream ${jsonText(stream)}`;
    if (revision !== known.next)
      return `revision ${known.next} of ${stream} is missing: revision ${revision} comes in its place`;
    if (revision === known.events)
      return `the first line gives ${stream} ${known.events} events, and it has more`;
    known.next += 1;
    const said = { occurredAt: metadata['occurredAt'], schemaVersion: metadata['schemaVersion'] ?? 1 };
    if (said.occurredAt !== occurredAt || said.schemaVersion !== schemaVersion)
      return 'occurredAt or schemaVersion is not that of its metadata';
    return this.head.redaction === 'none' ? this.#wrongBlobs(event) : undefined;
  }

  #wrongBlobs({ metadata }: EventLine): string | undefined {
    for (const { sha256: hash, bytes } of referencesIn(metadata['encoding'])) {
      if (this.#blobs.get(hash) !== bytes) return `the blob ${hash} is missing, or has another length`;
      this.#unused.delete(hash);
    }
    const [unused] = this.#unused;
    return unused === undefined ? undefined : `the blob ${unused} is not used by the event after it`;
  }

  #wrongEnd({ events, sha256: sum }: EndLine): string | undefined {
    const short = [...this.#streams].find(([, stream]) => stream.next < stream.events);
    if (short) return `events of ${short[0]} are missing: it has ${short[1].next} of ${short[1].events}`;
    if (this.#unused.size > 0) return 'a blob is not used by an event after it';
    if (events !== this.#events) return `it counts ${events} events, and the file has ${this.#events}`;
    return sum === this.#sum.digest('hex') ? undefined : 'its sum is not that of the bytes before it';
  }
}

function isOfRoot({ root: { kind, id }, streams: [first] }: HistoryHead): boolean {
  const { stream = '' } = first ?? {};
  return kind === 'run' ? stream.slice(stream.indexOf('-')) === `-${id}` : stream === `${kind}-${id}`;
}

/** The blobs of an event. The codec refuses a form that it does not know. */
function referencesIn(encoding: unknown): readonly { readonly sha256: string; readonly bytes: number }[] {
  const blobs = isJsonObject(encoding) ? encoding['blobs'] : undefined;
  return Array.isArray(blobs) ? (blobs.filter(isJsonObject) as { sha256: string; bytes: number }[]) : [];
}
