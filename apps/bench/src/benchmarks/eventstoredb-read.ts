import { type Position, sequenceOf } from '#lib/event-store';
import type { Benchmark } from '../comparison.js';
import { byProcessorTime } from '../fixtures/by-processor-time.js';
import { type EventStoreDbSides, openEventStoreDbSides } from '../fixtures/eventstoredb-sides.js';
import { kilobyteEvent } from '../fixtures/kilobyte-event.js';

const STREAMS = 40;
const EVENTS_EACH = 100;
/** The events that are read: all of the log but the first one, at which the reading begins. */
const READ = STREAMS * EVENTS_EACH - 1;

/** The reads of commands, of queries and replays, and the subscription of projections. */
export const eventStoreDbRead: Benchmark = {
  name: 'eventstoredb-read',
  group: 'eventstoredb',
  async open() {
    const sides = await openEventStoreDbSides();
    const streams = Array.from({ length: STREAMS }, (_, n) => `${sides.prefix}session-${n}`);
    const start = await fill(sides, streams);
    const all = [ofStreams(sides, streams), ofLog(sides, start), ofSubscription(sides, start)];
    const comparisons = all.flatMap((each) => [each, byProcessorTime(each)]);
    return { comparisons, close: () => sides.close() };
  },
};

/** @returns the position of the first event */
async function fill({ ours }: EventStoreDbSides, streams: readonly string[]): Promise<Position> {
  for (const stream of streams) {
    await ours.append(stream, 'no-stream', Array.from({ length: EVENTS_EACH }, kilobyteEvent));
  }
  const [first] = await ours.readAll({ limit: 1 });
  if (first === undefined) throw new Error('Nothing was stored.');
  return first.position;
}

function ofStreams({ ours, bare, where }: EventStoreDbSides, streams: readonly string[]) {
  return {
    name: 'eventstoredb-read-stream-100',
    compared: `streams of 100 events of 1 KiB read through the adapter / through the official client, ${where}`,
    unit: 'events',
    goal: 0.9,
    unitsPerCall: STREAMS * EVENTS_EACH,
    blocks: 30,
    callsPerBlock: 1,
    async ours() {
      for (const stream of streams) check((await ours.readStream(stream)).length, EVENTS_EACH);
    },
    async bare() {
      for (const stream of streams) check((await bare.readStream(stream)).length, EVENTS_EACH);
    },
  };
}

function ofLog({ ours, bare, where }: EventStoreDbSides, start: Position) {
  const sequence = sequenceOf(ours.logId, start);
  return {
    name: 'eventstoredb-read-all',
    compared: `the log read, filtered by the prefix of its streams / the same events by readAll of the official client, unfiltered, ${where}`,
    unit: 'events',
    goal: 0.9,
    unitsPerCall: READ,
    blocks: 30,
    callsPerBlock: 1,
    async ours() {
      check((await ours.readAll({ from: start, limit: READ })).length, READ);
    },
    async bare() {
      check((await bare.readAll(sequence, READ)).length, READ);
    },
  };
}

function ofSubscription({ ours, bare, prefix, where }: EventStoreDbSides, start: Position) {
  const sequence = sequenceOf(ours.logId, start);
  return {
    name: 'eventstoredb-follow',
    compared: `the log followed from its start to its end / by subscribeToAll of the official client, filtered alike, ${where}`,
    unit: 'events',
    goal: 0.9,
    unitsPerCall: READ,
    blocks: 30,
    callsPerBlock: 1,
    async ours() {
      const stop = new AbortController();
      let seen = 0;
      for await (const batch of ours.subscribe(start, stop.signal)) {
        seen += batch.length;
        if (seen >= READ) break;
      }
      stop.abort();
    },
    bare: () => bare.follow(sequence, prefix, READ),
  };
}

function check(count: number, expected: number): void {
  if (count !== expected) throw new Error(`There were ${count} events instead of ${expected}.`);
}
