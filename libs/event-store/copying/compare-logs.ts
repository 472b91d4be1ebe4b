import { createHash } from 'node:crypto';
import { jsonText } from '#lib/kernel';
import type { EventStore, StoredEvent } from '../event-store.js';
import { logEvents } from './log-pages.js';
import { blobStreamsOf, type LogPair, sameEvent } from './log-pair.js';

/** The first difference of a copy and its source, in log order. */
export interface CopyDifference {
  readonly stream: string;
  readonly revision: number;
  /** The part of the event that differs; or `event`, if another event, or none, is at this position in one of the logs. */
  readonly what:
    | 'event'
    | 'eventId'
    | 'type'
    | 'data'
    | 'metadata'
    | 'missing in the target'
    | 'only in the target';
}

/** The result of comparing a log with its copy. */
export interface LogComparison {
  /** The number of events that were compared and are equal. */
  readonly events: number;
  readonly streams: number;
  /** The number of large bodies, each counted once. */
  readonly blobs: number;
  /** The hash over stream, revision, id, type, data and metadata of every compared event, in log order. */
  readonly sha256: string;
  /** The first difference; events after it were not compared. Absent if the copy is complete and equal. */
  readonly difference?: CopyDifference;
}

const PROGRESS_EVERY = 1000;

/**
 * Reads a log and its copy side by side, event by event and body by body, to the first difference. Writes no event. In memory are only the current
 * pages and the names of the bodies.
 */
export async function compareLogs(pair: LogPair): Promise<LogComparison> {
  const { source, target, names, until, onProgress } = pair;
  const tally = new Tally();
  const copies = logEvents(target, names, {});
  // An empty source has no position to stop at: events written during the comparison do not belong to the copy.
  if (until !== undefined) {
    for await (const event of logEvents(source, names, { until })) {
      const { value: copy } = await copies.next();
      const difference = differenceOf(event, copy) ?? (await blobDifference(pair, event, tally));
      if (difference) return { ...tally.result(), difference };
      tally.add(event);
      if (tally.events % PROGRESS_EVERY === 0) onProgress?.(tally.events);
    }
  }
  return { ...tally.result(), ...(await onlyInTarget(pair, copies)) };
}

/** Checks the part of the copy after the comparison. Another copy of the same log may be longer, with later events of the source. */
async function onlyInTarget(
  { source, target }: LogPair,
  copies: AsyncIterable<StoredEvent>,
): Promise<Pick<LogComparison, 'difference'>> {
  const until = await target.head();
  for await (const copy of copies) {
    if (until === undefined || copy.position > until) break;
    const [event] = await source.readStream(copy.stream, { from: copy.revision, limit: 1 });
    if (!event || !sameEvent(event, copy))
      return { difference: { ...locationOf(copy), what: 'only in the target' } };
  }
  return {};
}

/** The events that were found equal so far. */
class Tally {
  events = 0;
  #streams = 0;
  readonly blobs = new Set<string>();
  readonly #hash = createHash('sha256');

  add(event: StoredEvent): void {
    this.events += 1;
    if (event.revision === 0) this.#streams += 1;
    this.hash(event);
  }

  hash({ stream, revision, eventId, type, data, metadata }: StoredEvent): void {
    this.#hash.update(`${jsonText([stream, revision, eventId, type, data, metadata])}\n`);
  }

  result(): LogComparison {
    const { events, blobs } = this;
    return { events, streams: this.#streams, blobs: blobs.size, sha256: this.#hash.copy().digest('hex') };
  }
}

async function blobDifference(
  { source, target, names }: LogPair,
  event: StoredEvent,
  tally: Tally,
): Promise<CopyDifference | undefined> {
  for (const stream of blobStreamsOf(names, event)) {
    if (tally.blobs.has(stream)) continue;
    const difference = await streamDifference(source, target, stream, (chunk) => tally.hash(chunk));
    if (difference) return difference;
    tally.blobs.add(stream);
  }
  return undefined;
}

async function streamDifference(
  source: EventStore,
  target: EventStore,
  stream: string,
  onEqual: (event: StoredEvent) => void,
): Promise<CopyDifference | undefined> {
  const [events, copies] = [await source.readStream(stream), await target.readStream(stream)];
  for (const [index, event] of events.entries()) {
    const difference = differenceOf(event, copies[index]);
    if (difference) return difference;
    onEqual(event);
  }
  const more = copies[events.length];
  return more && { ...locationOf(more), what: 'only in the target' };
}

const PARTS = ['eventId', 'type', 'data', 'metadata'] as const;

function differenceOf(event: StoredEvent, copy: StoredEvent | undefined): CopyDifference | undefined {
  const location = locationOf(event);
  if (!copy) return { ...location, what: 'missing in the target' };
  if (event.stream !== copy.stream || event.revision !== copy.revision) return { ...location, what: 'event' };
  const what = PARTS.find((part) => event[part] !== copy[part]);
  return what && { ...location, what };
}

function locationOf({ stream, revision }: StoredEvent): Pick<CopyDifference, 'stream' | 'revision'> {
  return { stream, revision };
}
