import { afterEach, describe, expect, it } from '@jest/globals';
import { withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import {
  EventStoreDbStandIn,
  type StandInOptions,
} from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { anEvent, someEvents } from './sample-events.js';

const HOUR_MS = 3_600_000;
const INDEX_LAG_MS = 50;
/** Of an append that a look at its stream settles: far longer than that takes on a busy machine. */
const PATIENCE_MS = 10_000;

describe('an append that the server leaves without an answer', () => {
  const stops: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function stores(count: number, options: StandInOptions) {
    const standIn = await EventStoreDbStandIn.start(options);
    stops.push(() => standIn.kill());
    const connectionString = standIn.connectionString();
    const opened: EventStoreDbEventStore[] = [];
    for (let n = 0; n < count; n += 1) {
      const store = await EventStoreDbEventStore.open({
        connectionString,
        streamPrefix: 'redial_',
        attemptMs: HOUR_MS,
      });
      stops.push(() => store.close());
      opened.push(store);
    }
    return { standIn, opened };
  }

  it('0.2-E9 is found in its stream when another engine makes the same append at once', async () => {
    const { opened } = await stores(4, { indexLagMs: INDEX_LAG_MS, writeTimeoutMs: HOUR_MS });
    for (const expected of ['no-stream', 1] as const) {
      const events = someEvents(2);
      const append = (store: EventStoreDbEventStore) => store.append('redial_s', expected, events);
      const results = await withPatience(PATIENCE_MS, () => Promise.all(opened.map(append)));
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      const [last] = await (opened[0] as EventStoreDbEventStore).readStream('redial_s', {
        direction: 'backwards',
        limit: 1,
      });
      expect(last).toMatchObject(results[0] ?? {});
    }
  });

  it('0.2-E9 is waited for while its stream does not show it', async () => {
    const { standIn, opened } = await stores(1, { indexLagMs: 0 });
    const [store] = opened as [EventStoreDbEventStore];
    await store.append('redial_s', 'no-stream', someEvents(1));
    let answer: (() => void) | undefined;
    standIn.misbehaviour.answerAfter = new Promise((resolve) => (answer = resolve));
    let reads = 0;
    standIn.misbehaviour.onCall = () => {
      reads += 1;
      // The append itself, and two looks at what the stream shows.
      if (reads === 3) answer?.();
    };
    // Answered late with a conflict: no look finds these events.
    await expect(store.append('redial_s', 'no-stream', someEvents(1))).rejects.toMatchObject({ actual: 0 });
    expect(reads).toBeGreaterThan(2);
  });

  it('0.2-E the process survives a server that answers every append twice', async () => {
    const { standIn, opened } = await stores(1, {});
    const [store] = opened as [EventStoreDbEventStore];
    standIn.misbehaviour.answersTwice = true;
    for (let revision = -1; revision < 20; revision += 1) {
      const expected = revision < 0 ? 'no-stream' : revision;
      expect(await store.append('redial_s', expected, [anEvent()])).toMatchObject({ revision: revision + 1 });
    }
    await expect(store.append('redial_s', 3, [anEvent()])).rejects.toMatchObject({ actual: 20 });
    expect(await store.readStream('redial_s')).toHaveLength(21);
  });
});
