import type { Benchmark, Comparison } from '../comparison.js';
import { type BareEvent } from '../fixtures/bare-eventstoredb.js';
import { byProcessorTime } from '../fixtures/by-processor-time.js';
import { type EventStoreDbSides, openEventStoreDbSides } from '../fixtures/eventstoredb-sides.js';
import { kilobyteEvent } from '../fixtures/kilobyte-event.js';

const EVENTS = 50;
const WRITERS = 64;
const EVENTS_EACH = 16;

type Append = (stream: string, revision: number) => Promise<unknown>;

/** One writer, and many, each waiting for its event to be stored before it sends the next. */
export const eventStoreDbAppend: Benchmark = {
  name: 'eventstoredb-append',
  group: 'eventstoredb',
  async open() {
    const sides = await openEventStoreDbSides();
    const sequential = comparisonOf('sequential', 'one after another', sides, 1, EVENTS);
    const concurrent = comparisonOf('concurrent-64', 'by 64 writers', sides, WRITERS, EVENTS_EACH);
    const comparisons = [sequential, concurrent].flatMap((each) => [each, byProcessorTime(each)]);
    return { comparisons, close: () => sides.close() };
  },
};

function comparisonOf(
  name: string,
  how: string,
  { ours, bare, prefix, where }: EventStoreDbSides,
  writers: number,
  eventsEach: number,
): Comparison {
  let streams = 0;
  const run = async (append: Append) => {
    const names = Array.from({ length: writers }, () => `${prefix}session-${name}-${(streams += 1)}`);
    await Promise.all(names.map((stream) => fill(stream, eventsEach, append)));
  };
  return {
    name: `eventstoredb-append-${name}`,
    compared: `1 KiB appends ${how} through the adapter / through the official client, ${where}`,
    unit: 'events',
    goal: 0.9,
    unitsPerCall: writers * eventsEach,
    blocks: 40,
    callsPerBlock: 2,
    ours: () =>
      run((stream, revision) =>
        ours.append(stream, revision === 0 ? 'no-stream' : revision - 1, [kilobyteEvent()]),
      ),
    bare: () => run((stream, revision) => bare.append(stream, revision, bareEvent())),
  };
}

async function fill(stream: string, events: number, append: Append): Promise<void> {
  for (let revision = 0; revision < events; revision++) await append(stream, revision);
}

const sample = kilobyteEvent();
const parsed = { data: JSON.parse(sample.data) as unknown, metadata: JSON.parse(sample.metadata) as unknown };

/** The same event as objects. */
function bareEvent(): BareEvent {
  const { eventId, type } = kilobyteEvent();
  return { eventId, type, ...parsed };
}
