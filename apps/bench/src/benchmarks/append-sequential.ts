import { join } from 'node:path';
import { SqliteEventStore } from '#lib/event-store-sqlite';
import type { Benchmark } from '../comparison.js';
import { BareLog } from '../fixtures/bare-log.js';
import { kilobyteEvent } from '../fixtures/kilobyte-event.js';

const EVENTS = 50;

/** One writer that waits for each event to be durable before it sends the next. */
export const appendSequential: Benchmark = {
  name: 'append-sequential',
  async open(folder) {
    const store = await SqliteEventStore.open(join(folder, 'ours.db'));
    const bare = new BareLog(join(folder, 'bare.db'));
    let streams = 0;
    const nextStream = () => `redial_session-${(streams += 1)}`;
    return {
      comparisons: [
        {
          name: 'append-sequential',
          compared:
            '1 KiB appends one after another / one INSERT a transaction, same table, WAL, synchronous=FULL',
          unit: 'events',
          goal: 0.5,
          unitsPerCall: EVENTS,
          blocks: 40,
          callsPerBlock: 4,
          async ours() {
            const stream = nextStream();
            for (let revision = 0; revision < EVENTS; revision++) {
              await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [kilobyteEvent()]);
            }
          },
          async bare() {
            const stream = nextStream();
            for (let revision = 0; revision < EVENTS; revision++) {
              bare.insert(stream, revision, kilobyteEvent());
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
