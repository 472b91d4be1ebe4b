import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { formatPosition, InMemoryEventStore, type Position } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { firstSystemEvents } from '../support/eventstoredb-stand-in/system-events.js';
import { anEvent, follow, someEvents } from './sample-events.js';
import { storedForm } from './stored-form.js';

/** Knows from where it was followed. */
class RecordingStore extends InMemoryEventStore {
  readonly starts: (Position | undefined)[] = [];

  override subscribe(after: Position | undefined, signal: AbortSignal) {
    this.starts.push(after);
    return super.subscribe(after, signal);
  }
}

describe('following an EventStoreDB that comes and goes', () => {
  let data: RecordingStore;
  let standIn: EventStoreDbStandIn;
  let store: EventStoreDbEventStore;

  beforeEach(async () => {
    data = new RecordingStore();
    standIn = await EventStoreDbStandIn.start({ store: data });
    const connectionString = standIn.connectionString();
    store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
  });
  afterEach(async () => {
    await store.close();
    standIn.kill();
  });

  async function restart(): Promise<void> {
    const { port } = standIn;
    standIn.kill();
    standIn = await EventStoreDbStandIn.start({ store: data, port });
  }

  /** `work` begins with the next call: that of the subscription that comes back. */
  function dropConnectionsAndThen(work: () => Promise<unknown>): void {
    standIn.misbehaviour.onCall = () => {
      standIn.misbehaviour.onCall = undefined;
      void work();
    };
    standIn.dropConnections();
  }

  it('loses nothing and repeats nothing when the server is restarted again and again', async () => {
    const following = [follow(store, 60), follow(store, 60)];
    for (let n = 0; n < 60; n += 1) {
      if (n % 20 === 10) await restart();
      await store.append('redial_s', n === 0 ? 'no-stream' : n - 1, [anEvent()]);
    }
    const log = await store.readAll({ limit: 100 });
    expect(log).toHaveLength(60);
    expect(await Promise.all(following)).toEqual([log, log]);
  });

  it('continues after connections were dropped while idle', async () => {
    const seen: number[] = [];
    const stop = new AbortController();
    for await (const batch of store.subscribe(undefined, stop.signal)) {
      seen.push(batch.length);
      if (seen.length === 3) stop.abort();
      else dropConnectionsAndThen(() => store.append(`redial_${seen.length}`, 'no-stream', [anEvent()]));
    }
    expect(seen).toEqual([0, 1, 1]);
    expect(data.starts).toHaveLength(3);
  });

  it('moves on with checkpoints when the events of others fill the log', async () => {
    await store.append('redial_s', 'no-stream', [anEvent()]);
    for (const other of ['one', 'two'])
      await standIn.store.append(other, 'no-stream', someEvents(1500).map(storedForm));
    const head = await standIn.store.head();
    const stop = new AbortController();
    let batches = 0;
    for await (const batch of store.subscribe(undefined, stop.signal)) {
      batches += 1;
      if (batches === 3) stop.abort();
      if (batch.length > 0) continue;
      dropConnectionsAndThen(() => store.append('redial_s', 0, [anEvent()]));
    }
    // The first begins at the marker, the log's first event after those of the system.
    const marker = firstSystemEvents().length + 1;
    expect(data.starts).toEqual([formatPosition(standIn.store.logId, marker), head]);
  });

  it('holds the server back while the consumer is busy', async () => {
    const data = JSON.stringify('x'.repeat(1000));
    for (let n = 0; n < 4; n += 1) {
      const events = Array.from({ length: 600 }, () => anEvent(data));
      await store.append(`redial_${n}`, 'no-stream', events);
    }
    let sent = 0;
    standIn.misbehaviour.beforeEachEvent = async () => void (sent += 1);
    const sentWhileBusy: number[] = [];
    const stop = new AbortController();
    let seen = 0;
    for await (const batch of store.subscribe(undefined, stop.signal)) {
      seen += batch.length;
      if (seen === 2400) stop.abort();
      // Busy until the server sends no more: because it is held back, or because it has sent everything.
      while (sentWhileBusy.length < 2 || sentWhileBusy.at(-1) !== sentWhileBusy.at(-2)) {
        for (let n = 0; n < 20; n += 1) await store.readStream('redial_none');
        sentWhileBusy.push(sent);
      }
    }
    expect(seen).toBe(2400);
    expect(sentWhileBusy.at(-1)).toBeLessThan(1200);
  });

  it('keeps logs with different prefixes apart on one server', async () => {
    const connectionString = standIn.connectionString();
    const other = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'other_' });
    expect(other.logId).not.toBe(store.logId);
    await store.append('redial_s', 'no-stream', someEvents(2));
    await other.append('other_s', 'no-stream', someEvents(3));
    expect(await store.readAll({ limit: 9 })).toHaveLength(2);
    expect(await other.readAll({ limit: 9 })).toHaveLength(3);
    expect(await follow(other, 3)).toEqual(await other.readAll({ limit: 9 }));
    await other.close();
  });

  it('gives a log one name for all that open it', async () => {
    const connectionString = standIn.connectionString();
    const stores = await Promise.all(
      Array.from({ length: 8 }, () =>
        EventStoreDbEventStore.open({ connectionString, streamPrefix: 'new_' }),
      ),
    );
    expect(new Set(stores.map(({ logId }) => logId)).size).toBe(1);
    expect(await stores[0]?.head()).toBeUndefined();
    await Promise.all(stores.map((each) => each.close()));
  });
});
