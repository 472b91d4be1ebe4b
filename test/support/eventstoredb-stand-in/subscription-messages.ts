import { randomUUID } from 'node:crypto';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position, StoredEvent } from '#lib/event-store';
import { eventFilter } from './event-filter.js';
import { ReadResponses } from './read-responses.js';
import { streamDeleted } from './service-error.js';
import type { StandInLog } from './stand-in-log.js';
import { streamName } from './stream-name.js';
import { lastPlaceUpTo } from './wire-position.js';

/** The messages of a subscription: what is there after the given place, that it is caught up, then what comes. */
export async function* subscriptionMessages(
  log: StandInLog,
  options: ReadReq.Options,
  signal: AbortSignal,
): AsyncGenerator<ReadResp> {
  const { store } = log;
  const responses = new ReadResponses(store.logId);
  const { passes, checkpointEvery } = eventFilter(options);
  const isMeant = options.hasStream() ? await afterRevision(log, options) : passes;
  const after = await startOf(log, options);
  yield responses.confirmation(randomUUID());
  let lookedAt = 0;
  let reached: Position | undefined = after;
  for await (const batch of store.subscribe(after, signal)) {
    for (const event of batch) {
      reached = event.position;
      lookedAt += 1;
      if (isMeant(event)) yield responses.event(event);
      if (lookedAt % checkpointEvery === 0) yield responses.checkpoint(event.position);
    }
    if (batch.length > 0) continue;
    if (options.hasFilter() && reached !== undefined) yield responses.checkpoint(reached);
    yield responses.caughtUp();
  }
}

async function startOf({ store }: StandInLog, options: ReadReq.Options): Promise<Position | undefined> {
  const all = options.getAll();
  const wire = all?.getPosition()?.getCommitPosition();
  if (wire !== undefined) return lastPlaceUpTo(store.logId, wire);
  return all?.hasEnd() === true || options.getStream()?.hasEnd() === true ? store.head() : undefined;
}

async function afterRevision(
  log: StandInLog,
  options: ReadReq.Options,
): Promise<(event: StoredEvent) => boolean> {
  const stream = options.getStream();
  const name = streamName(stream?.getStreamIdentifier());
  const readable = log.readable(name);
  if (readable === 'tombstoned') throw streamDeleted(name);
  const after = stream?.hasRevision() === true ? Number(stream.getRevision()) : -1;
  return (event) => event.stream === name && event.revision > after && event.revision >= readable.from;
}
