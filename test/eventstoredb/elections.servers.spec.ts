import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable, withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { StandInCluster } from '../support/eventstoredb-stand-in/stand-in-cluster.js';
import { anEvent, follow } from './sample-events.js';
import { Waits } from './waits.js';

/** More than a request has, which is 10 s: a busy machine takes part of it. The waits that are measured end in less. */
const PATIENCE_MS = 60_000;
const ELECTION_MS = 3_000;
const WRITERS = 8;

describe('X-E4: a cluster that elects a leader', () => {
  let cluster: StandInCluster;
  let store: EventStoreDbEventStore;
  beforeEach(async () => {
    cluster = await StandInCluster.start({ indexLagMs: 5 });
    const connectionString = cluster.connectionString();
    store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
  });
  afterEach(async () => {
    await store.close();
    cluster.kill();
  });

  it('fails no read and no append in an election, and is late by less than a second', async () => {
    const done = new AbortController();
    const waits = new Waits();
    const timed = <T>(work: () => Promise<T>) => waits.time(() => withPatience(PATIENCE_MS, work));
    const writing = Array.from({ length: WRITERS }, async (_, n) => {
      const stream = `redial_${n}`;
      for (let revision = -1; !done.signal.aborted || revision < 20; revision += 1) {
        const expected = revision < 0 ? 'no-stream' : revision;
        await timed(() => store.append(stream, expected, [anEvent()]));
        const [last] = await timed(() => store.readStream(stream, { direction: 'backwards', limit: 1 }));
        expect(last?.revision).toBe(revision + 1);
      }
    });
    await follow(store, WRITERS * 5);
    await cluster.elect(ELECTION_MS);
    await store.head();
    done.abort();
    await Promise.all(writing);
    waits.stop();
    expect(waits.longestMs).toBeGreaterThan(ELECTION_MS - 500);
    expect(waits.longestOnTimeMs).toBeLessThan(ELECTION_MS + 1_000);
    const log = await store.readAll({ limit: 100_000 });
    expect(await follow(store, log.length)).toEqual(log);
    expect(new Set(log.map(({ eventId }) => eventId)).size).toBe(log.length);
  });

  it('gives up once the patience of a call is over, and says so', async () => {
    const electNext = cluster.loseLeader();
    const reading = withPatience(500, () => store.readStream('redial_s'));
    await expect(reading).rejects.toBeInstanceOf(StoreUnavailable);
    await electNext();
    expect(await store.readStream('redial_s')).toEqual([]);
  });
});
