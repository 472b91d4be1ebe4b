import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventStore, InMemoryEventStore, type Position, StoreUnavailable } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { anEvent, someEvents } from './sample-events.js';
import { storedForm } from './stored-form.js';

const MANY = 5_000_000;
/** Events of others that the server looks through in a second. */
const SCAN_SPEED = 200_000;
/** The events that the server scans in a second. Counted, because the time of a busy machine says nothing. */
const MOST_SCANNED = SCAN_SPEED;

describe('X-E2: a server that is shared', () => {
  let standIn: EventStoreDbStandIn;
  const opened: EventStoreDbEventStore[] = [];
  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start({ scanSpeed: SCAN_SPEED });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
    standIn.kill();
  });

  async function open(): Promise<EventStoreDbEventStore> {
    const connectionString = standIn.connectionString();
    const store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
    opened.push(store);
    return store;
  }

  async function soon(work: () => Promise<void>): Promise<void> {
    const before = standIn.foreignScanned;
    await work();
    expect(standIn.foreignScanned - before).toBeLessThan(MOST_SCANNED);
  }

  it('does not look through what was there before a new log', async () => {
    await standIn.addForeign(MANY);
    await soon(async () => {
      const store = await open();
      expect(await store.head()).toBeUndefined();
      expect(await store.readAll({ limit: 10 })).toEqual([]);
      expect(await caughtUp(store)).toBe(0);
      const { position } = await store.append('redial_s', 'no-stream', [anEvent()]);
      expect(await store.head()).toBe(position);
      expect(await store.readAll({ limit: 10, direction: 'backwards' })).toHaveLength(1);
    });
  });

  it('reads the events of other applications once, for all readers', async () => {
    const first = await open();
    await first.append('redial_s', 'no-stream', someEvents(3));
    await first.append('redial_other', 'no-stream', someEvents(1));
    const head = await first.head();
    await standIn.addForeign(300_000);
    expect(await first.head()).toBe(head);
    await soon(async () => {
      expect(await first.head()).toBe(head);
      expect(await caughtUp(first, head)).toBe(0);
      expect(await first.readAll({ limit: 9, ...(head && { from: head }) })).toEqual([]);
    });
    // The next process finds the note of this one.
    await first.close();
    await soon(async () => {
      const second = await open();
      expect(await second.head()).toBe(head);
      expect(await caughtUp(second, head)).toBe(0);
      expect(await second.readAll({ limit: 1, direction: 'backwards' })).toMatchObject([{ revision: 0 }]);
    });
  });

  it('skips known gaps between its own events when the log is followed from its start', async () => {
    const store = await open();
    await store.append('redial_s', 'no-stream', someEvents(2));
    await standIn.addForeign(400_000);
    await store.head();
    await store.append('redial_s', 1, someEvents(2));
    await store.close();
    const next = await open();
    await soon(async () => {
      expect(await caughtUp(next)).toBe(4);
      expect(await next.readAll({ limit: 4 })).toHaveLength(4);
    });
  });

  it('X-E5: finds nothing beyond the head, and reads backwards from there as from the end', async () => {
    const store = await open();
    const { position } = await store.append('redial_s', 'no-stream', someEvents(2));
    const beyond = position.replace(/\d{4}$/, '9999') as Position;
    expect(await store.readAll({ from: beyond, limit: 9 })).toEqual([]);
    expect(await store.readAll({ from: beyond, limit: 9, direction: 'backwards' })).toHaveLength(2);
    expect(await caughtUp(store, beyond)).toBe(0);
  });
});

describe('X-E7: metadata of others on our streams', () => {
  let kept: InMemoryEventStore;
  let standIn: EventStoreDbStandIn;
  let store: EventStoreDbEventStore;
  beforeEach(async () => {
    kept = new InMemoryEventStore();
    standIn = await EventStoreDbStandIn.start({ store: kept });
    const connectionString = standIn.connectionString();
    store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: '', patienceMs: 2_500 });
    await store.append('s', 'no-stream', someEvents(5));
  });
  afterEach(async () => {
    await store.close();
    standIn.kill();
  });

  it.each([
    ['{"$maxCount":2}', /\$maxCount 2/],
    ['{"$tb":3}', /\$tb 3/],
    ['{"$tb":5}', /\$tb 5/],
    ['{"$maxAge":0}', /\$maxAge 0/],
    ['{"$tb":9223372036854775807}', /the stream was deleted there/],
  ])('are named when they hide events: %s', async (metadata, sentence) => {
    await standIn.store.append('$$s', 'no-stream', [storedForm({ ...anEvent(metadata), type: '$metadata' })]);
    // Events written by other clients are seen from the next start on.
    standIn.kill();
    standIn = await EventStoreDbStandIn.start({ store: kept, port: standIn.port });
    const reading = store.readStream('s');
    await expect(reading).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(reading).rejects.toThrow(
      /\[StreamTruncated\] stream s in EventStoreDB at .* lacks events: /,
    );
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow(/\(metadata stream \$\$s\)/);
  });

  it('do not matter when they hide nothing', async () => {
    const acl = storedForm({ ...anEvent('{"$acl":{"$r":"$all"}}'), type: '$metadata' });
    await standIn.store.append('$$s', 'no-stream', [acl]);
    expect(await store.readStream('s')).toHaveLength(5);
    expect(await store.readStream('s', { from: 5 })).toEqual([]);
    expect(await store.readStream('s', { direction: 'backwards', limit: 2 })).toHaveLength(2);
    expect(await store.readStream('none')).toEqual([]);
  });
});

/** How many events a subscription gives before it has caught up. */
async function caughtUp(store: EventStore, after?: Position): Promise<number> {
  const stop = new AbortController();
  let count = 0;
  for await (const batch of store.subscribe(after, stop.signal)) {
    count += batch.length;
    if (batch.length === 0) stop.abort();
  }
  return count;
}
