import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type StreamAppend, StoreUnavailable } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { someEvents } from './sample-events.js';

const STREAMS = ['session', 'run', 'child', 'owner'];

let standIn: EventStoreDbStandIn;
let store: EventStoreDbEventStore;
beforeEach(async () => {
  standIn = await EventStoreDbStandIn.start();
  const connectionString = standIn.connectionString();
  store = await EventStoreDbEventStore.open({
    connectionString,
    streamPrefix: '',
    attemptMs: 250,
    patienceMs: 500,
  });
});
afterEach(async () => {
  await store.close();
  standIn.kill();
});

it.each(STREAMS.map((_, cut) => [cut]))(
  'leaves %i appends of a list when the server goes silent then, and a repeat of the list completes it',
  async (cut) => {
    const appends = STREAMS.map((stream): StreamAppend => {
      return { stream, expected: 'no-stream', events: someEvents(2) };
    });
    const { misbehaviour } = standIn;
    let stored = 0;
    misbehaviour.onStored = () => {
      stored += 1;
      misbehaviour.silent = stored === cut;
    };
    misbehaviour.silent = cut === 0;
    const appending = store.appendInOrder(appends);
    await expect(appending).rejects.toBeInstanceOf(StoreUnavailable);
    misbehaviour.onStored = undefined;
    misbehaviour.silent = false;
    for (const [index, { stream }] of appends.entries()) {
      expect(await store.readStream(stream)).toHaveLength(index < cut ? 2 : 0);
    }
    const results = await store.appendInOrder(appends);
    expect(results.map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
    expect(await store.readAll({ limit: 99 })).toHaveLength(8);
  },
);
