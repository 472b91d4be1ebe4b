import { join } from 'node:path';
import type { EventStore } from '#lib/event-store';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { Benchmark } from '../comparison.js';
import { BareLog } from '../fixtures/bare-log.js';
import { kilobyteEvent } from '../fixtures/kilobyte-event.js';

const WRITERS = 64;
const EVENTS_EACH = 16;

/** Many writers, each with a stream of its own, each waiting for its event to be durable before it sends the next. */
export const appendConcurrent64: Benchmark = {
  name: 'append-concurrent-64',
  async open(folder) {
    const store = await SqliteEventStore.open(join(folder, 'ours.db'));
    const bare = new BareLog(join(folder, 'bare.db'));
    let streams = 0;
    const nextStreams = () => Array.from({ length: WRITERS }, () => `redial_session-${(streams += 1)}`);
    return {
      comparisons: [
        {
          name: 'append-concurrent-64',
          compared:
            '1 KiB appends by 64 writers / 64 INSERTs a transaction, same table, WAL, synchronous=FULL',
          unit: 'events',
          goal: 0.6,
          unitsPerCall: WRITERS * EVENTS_EACH,
          blocks: 40,
          callsPerBlock: 2,
          async ours() {
            await Promise.all(nextStreams().map((stream) => fill(store, stream)));
          },
          async bare() {
            const streams = nextStreams();
            for (let revision = 0; revision < EVENTS_EACH; revision++) {
              bare.together(() => {
                for (const stream of streams) bare.insert(stream, revision, kilobyteEvent());
              });
            }
          },
        },
      ],
      async close() {
        bare.close();
        await store.close();
      },
    };
  },
};

async function fill(store: EventStore, stream: string): Promise<void> {
  for (let revision = 0; revision < EVENTS_EACH; revision++) {
    await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [kilobyteEvent()]);
  }
}
