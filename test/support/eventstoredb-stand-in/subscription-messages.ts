import { randomUUID } from 'node:crypto';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStore, StoredEvent } from '#lib/event-store';
import { eventFilter } from './event-filter.js';
import { targetOf } from './links.js';
import { ReadResponses } from './read-responses.js';
import { scanForeign } from './scan-foreign.js';
import { invalidStart, streamDeleted } from './service-error.js';
import type { StandInLog } from './stand-in-log.js';
import { streamName } from './stream-name.js';

interface Looking {
  readonly log: StandInLog;
  readonly responses: ReadResponses;
  /** How many events it looks through from one checkpoint to the next, at least. */
  readonly every: number;
  readonly signal: AbortSignal;
}

/** The messages of a subscription: what is there after the given place, that it is caught up, then what comes. */
export async function* subscriptionMessages(
  log: StandInLog,
  shown: EventStore,
  options: ReadReq.Options,
  signal: AbortSignal,
): AsyncGenerator<ReadResp> {
  const { places } = log;
  const responses = new ReadResponses(places);
  const { passes, checkpointEvery } = eventFilter(options);
  const looking = { log, responses, every: checkpointEvery, signal };
  const isMeant = options.hasStream() ? await afterRevision(log, options) : passes;
  let looked = await startOf(log, shown, options);
  yield responses.confirmation(randomUUID());
  let lookedAt = 0;
  let caughtUp = false;
  const after = places.upTo(looked);
  for await (const batch of shown.subscribe(after === places.upTo(0n) ? undefined : after, signal)) {
    for (const event of batch) {
      const place = places.toWire(event.position);
      // Live events were filtered when they came.
      if (!caughtUp) yield* checkpoints(looking, looked, place);
      looked = place;
      lookedAt += 1;
      if (isMeant(event)) {
        yield responses.event(event, await targetOf(log, shown, event, options.getResolveLinks()));
      }
      if (lookedAt % checkpointEvery === 0) yield responses.checkpoint(place);
    }
    if (batch.length > 0) continue;
    const end = places.end(await shown.head());
    yield* checkpoints(looking, looked, end);
    // The place of the last event that was looked at, also where that is one of others.
    if (places.foreignBetween(looked, end) > 0) looked = places.afterForeign(end, -1);
    if (options.hasFilter() && looked > 0n && looked <= end) yield responses.checkpoint(looked);
    caughtUp = true;
    yield responses.caughtUp();
  }
}

/** Takes the time of looking through the events of others, and says how far it is. */
async function* checkpoints(
  { log, responses, every, signal }: Looking,
  from: bigint,
  to: bigint,
): AsyncGenerator<ReadResp> {
  const step = Math.max(every, Math.ceil(log.scanSpeed / 10));
  let place = from;
  while (Number.isFinite(step) && log.places.foreignBetween(place, to) > step) {
    const next = log.places.afterForeign(place, step);
    await scanForeign(log, place, next, signal);
    place = next;
    yield responses.checkpoint(place);
  }
  await scanForeign(log, place, to, signal);
}

async function startOf({ places }: StandInLog, shown: EventStore, options: ReadReq.Options): Promise<bigint> {
  const all = options.getAll();
  const wire = all?.getPosition()?.getCommitPosition();
  const end = places.end(await shown.head());
  if (wire !== undefined) {
    if (BigInt(wire) < end && !places.holds(BigInt(wire))) throw invalidStart();
    return BigInt(wire);
  }
  return all?.hasEnd() === true || options.getStream()?.hasEnd() === true ? end - 1n : 0n;
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
