import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStore, StoredEvent } from '#lib/event-store';
import { eventFilter } from './event-filter.js';
import { targetOf } from './links.js';
import { fromStore } from './proposed-event.js';
import { ReadResponses } from './read-responses.js';
import { scanForeign } from './scan-foreign.js';
import { invalidPosition, streamDeleted } from './service-error.js';
import type { StandInLog } from './stand-in-log.js';
import { streamName } from './stream-name.js';

const PAGE = 256;
/** .NET ticks. */
const TICKS_PER_S = 10_000_000;
const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/** The messages of a read that ends. Streams are read inclusively; the log inclusively forwards, exclusively backwards. */
export async function* eventsToRead(
  log: StandInLog,
  shown: EventStore,
  options: ReadReq.Options,
  signal: AbortSignal,
): AsyncGenerator<ReadResp> {
  const responses = new ReadResponses(log.places);
  const given = async (event: StoredEvent) =>
    responses.event(event, await targetOf(log, shown, event, options.getResolveLinks()));
  const limit = Number(options.getCount());
  const stream = options.getStream();
  let count = 0;
  if (stream) {
    const name = streamName(stream.getStreamIdentifier());
    const backwards = options.getReadDirection() === BACKWARDS;
    const events = await readableEvents({ log, shown }, name, stream, backwards, limit);
    if (!events) yield responses.streamNotFound(name);
    else for (const event of events) yield await given(event);
    return;
  }
  const { passes } = eventFilter(options);
  for await (const event of wholeLog(log, shown, options, signal)) {
    if (!passes(event)) continue;
    if (count >= limit) return;
    count += 1;
    yield await given(event);
  }
}

/** `undefined` if there is no stream. */
async function readableEvents(
  { log, shown }: { readonly log: StandInLog; readonly shown: EventStore },
  name: string,
  options: ReadReq.Options.StreamOptions,
  backwards: boolean,
  limit: number,
): Promise<readonly StoredEvent[] | undefined> {
  const [last] = await shown.readStream(name, { direction: 'backwards', limit: 1 });
  const readable = log.readable(name, last?.revision);
  if (readable === 'tombstoned') throw streamDeleted(name);
  if (!last || last.revision < readable.from) return undefined;
  const revision = options.hasRevision() ? Number(options.getRevision()) : undefined;
  const from = revision ?? (options.hasEnd() ? last.revision : 0);
  const events = backwards
    ? await shown.readStream(name, { direction: 'backwards', from, limit })
    : await shown.readStream(name, { from: Math.max(from, readable.from), limit });
  return events.filter((event) => event.revision >= readable.from && ageS(event) < readable.maxAgeS);
}

function ageS(event: StoredEvent): number {
  return Date.now() / 1000 - Number(fromStore(event).created) / TICKS_PER_S;
}

/** Silent while it looks through events of others, as the server's reads are. */
async function* wholeLog(
  log: StandInLog,
  shown: EventStore,
  options: ReadReq.Options,
  signal: AbortSignal,
): AsyncGenerator<StoredEvent> {
  const { places } = log;
  // A read without a filter would give the events of others, which are not kept: it leaves them out, and takes no time for them.
  const pass = options.hasFilter() ? scanForeign : async () => undefined;
  const all = options.getAll();
  const backwards = options.getReadDirection() === BACKWARDS;
  const nothing = backwards ? all?.hasStart() : all?.hasEnd();
  if (nothing === true) return;
  const end = places.end(await shown.head());
  const wire = all?.getPosition()?.getCommitPosition();
  const start = wire === undefined ? (backwards ? end : 0n) : BigInt(wire);
  if (start > end && !backwards) return;
  if (start > end || (start < end && !places.holds(start))) throw invalidPosition();
  // Our port starts after a position forwards, and before it backwards.
  let from = backwards ? places.from(start) : places.before(start);
  let looked = start;
  for (;;) {
    const direction = backwards ? 'backwards' : 'forwards';
    const page = await shown.readAll({ direction, limit: PAGE, from });
    for (const event of page) {
      const place = places.toWire(event.position);
      await pass(log, looked, place, signal);
      looked = place;
      yield event;
    }
    const last = page.at(-1)?.position;
    if (last === undefined) break;
    from = last;
  }
  await pass(log, looked, backwards ? 0n : end, signal);
}
