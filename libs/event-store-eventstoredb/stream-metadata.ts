import { type ReadStreamOptions, type StoredEvent, StoreUnavailable } from '#lib/event-store';
import { type JsonObject, jsonText, parseJsonObject } from '#lib/kernel';
import type { EventReader } from './event-reader.js';
import { isRefusal } from './grpc-failure.js';
import { streamRequest } from './read-request.js';

/** Events of a stream of Redial are hidden: by a limit in its metadata, or because it was deleted. */
class StreamTruncated extends StoreUnavailable {}

/** The members of a stream's metadata that hide events. */
const HIDING = ['$maxCount', '$maxAge', '$tb'];
/** `$tb` of a deleted stream: the largest signed 64-bit number, as JSON reads it. */
const DELETED = Number(2n ** 63n - 1n);

/** Whether events that a read should have given are missing. An empty read does not tell. */
export function lacksEvents(
  { from = 0, direction, limit = Infinity }: ReadStreamOptions,
  events: readonly StoredEvent[],
): boolean {
  if (events.length === 0) return false;
  if (direction === 'backwards') return events.length < limit && events.at(-1)?.revision !== 0;
  return events[0]?.revision !== from;
}

/** Reads the metadata of streams, to find out why events are hidden. */
export class StreamMetadata {
  constructor(private readonly reader: EventReader) {}

  /** @throws StreamTruncated if the stream's metadata hides events */
  async check(stream: string): Promise<void> {
    const values = await this.#valuesOf(stream);
    const hiding = HIDING.filter((name) => values[name] !== undefined);
    if (hiding.length === 0) return;
    const shown = hiding.map((name) => `${name} ${jsonText(values[name])}`).join(', ');
    throw this.truncated(
      stream,
      values['$tb'] === DELETED ? 'the stream was deleted there' : `it has ${shown}`,
    );
  }

  /** Empty if this user may not read metadata: then a stream without events counts as missing. */
  async #valuesOf(stream: string): Promise<JsonObject> {
    const request = streamRequest(metadataStream(stream), { direction: 'backwards', limit: 1 });
    try {
      const [metadata] = await this.reader.read('', request);
      return parseJsonObject(metadata?.data ?? '{}') ?? {};
    } catch (error) {
      if (error instanceof StoreUnavailable && isRefusal(error.cause)) return {};
      throw error;
    }
  }

  truncated(stream: string, why: string): StreamTruncated {
    return new StreamTruncated(
      `stream ${stream} in EventStoreDB at ${this.reader.server} lacks events`,
      `${why} (metadata stream ${metadataStream(stream)})`,
      'Append metadata without $maxCount, $maxAge and $tb to that stream; events that a scavenge has removed are only in a backup',
    );
  }
}

function metadataStream(stream: string): string {
  return `$$${stream}`;
}
