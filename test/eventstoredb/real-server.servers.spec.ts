import { describe, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EventStore } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { describeEventStoreContract } from '#lib/event-store/testing';
import { deleteStreams } from './official-client.js';
import { prefixedStore } from './prefixed-store.js';
import { raceTwoWriters } from './race-two-writers.js';

const connectionString = process.env['EVENTSTOREDB_URL'];

if (connectionString === undefined) {
  describe('event store contract: EventStoreDB, real server', () => {
    it.todo('runs when EVENTSTOREDB_URL names one');
  });
} else {
  /** Each test has streams of its own. They are deleted after it; a scavenge of the server frees their room. */
  const subject = async () => {
    const streamPrefix = `contract_${randomUUID().slice(0, 8)}_`;
    const opened: EventStore[] = [];
    const streams = new Set([`${streamPrefix}log`]);
    const open = async () => {
      const store = await EventStoreDbEventStore.open({ connectionString, streamPrefix });
      opened.push(store);
      return prefixedStore(store, streamPrefix, (stream) => streams.add(stream));
    };
    const cleanup = async () => {
      await Promise.all(opened.map((store) => store.close()));
      await deleteStreams(connectionString, streams);
    };
    return { store: await open(), hiddenPrefix: streamPrefix, reopen: open, second: open, cleanup };
  };
  describeEventStoreContract('EventStoreDB, real server', subject, ['reopen', 'second']);

  it('gives each of 200 revisions to one of two writers over a real server', async () => {
    const { store, second, cleanup } = await subject();
    await raceTwoWriters([store, await second()], 200);
    await cleanup();
  });
}
