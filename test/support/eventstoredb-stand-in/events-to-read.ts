import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '#lib/event-store';
import { eventFilter } from './event-filter.js';
import { ReadResponses } from './read-responses.js';
import { streamDeleted } from './service-error.js';
import type { StandInLog } from './stand-in-log.js';
import { streamName } from './stream-name.js';
import { firstPlaceFrom, lastPlaceBefore } from './wire-position.js';

const PAGE = 256;
const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/** The messages of a read that ends. Streams are read inclusively; the log inclusively forwards, exclusively backwards. */
export async function* eventsToRead(log: StandInLog, options: ReadReq.Options): AsyncGenerator<ReadResp> {
  const responses = new ReadResponses(log.store.logId);
  const limit = Number(options.getCount());
  const stream = options.getStream();
  let given = 0;
  if (stream) {
    const name = streamName(stream.getStreamIdentifier());
    const events = await readableEvents(log, name, stream, options.getReadDirection() === BACKWARDS, limit);
    if (!events) yield responses.streamNotFound(name);
    else for (const event of events) yield responses.event(event);
    return;
  }
  const { passes } = eventFilter(options);
  for await (const event of wholeLog(log, options)) {
    if (!passes(event)) continue;
    if (given >= limit) return;
    given += 1;
    yield responses.event(event);
  }
}

/** `undefined` where there is no stream. */
async function readableEvents(
  log: StandInLog,
  name: string,
  options: ReadReq.Options.StreamOptions,
  backwards: boolean,
  limit: number,
): Promise<readonly StoredEvent[] | undefined> {
  const readable = log.readable(name);
  if (readable === 'tombstoned') throw streamDeleted(name);
  const [last] = await log.store.readStream(name, { direction: 'backwards', limit: 1 });
  if (!last || last.revision < readable.from) return undefined;
  const revision = options.hasRevision() ? Number(options.getRevision()) : undefined;
  const from = revision ?? (options.hasEnd() ? last.revision : 0);
  const events = backwards
    ? await log.store.readStream(name, { direction: 'backwards', from, limit })
    : await log.store.readStream(name, { from: Math.max(from, readable.from), limit });
  return events.filter((event) => event.revision >= readable.from);
}

async function* wholeLog({ store }: StandInLog, options: ReadReq.Options): AsyncGenerator<StoredEvent> {
  const all = options.getAll();
  const backwards = options.getReadDirection() === BACKWARDS;
  const wire = all?.getPosition()?.getCommitPosition();
  const nothing = backwards ? all?.hasStart() : all?.hasEnd();
  if (nothing === true) return;
  // Our port starts after a position forwards, and before it backwards.
  const place = backwards ? firstPlaceFrom : lastPlaceBefore;
  let from = wire === undefined ? undefined : place(store.logId, wire);
  for (;;) {
    const direction = backwards ? 'backwards' : 'forwards';
    const page = await store.readAll({ direction, limit: PAGE, ...(from !== undefined && { from }) });
    yield* page;
    from = page.at(-1)?.position;
    if (from === undefined) return;
  }
}
