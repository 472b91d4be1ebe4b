import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidAppend, StoreUnavailable, withPatience } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { serviceError } from '../support/eventstoredb-stand-in/service-error.js';
import { anEvent, failureOf, follow, someEvents } from './sample-events.js';
import { storedForm } from './stored-form.js';

const UNKNOWN = 2;
/** An answer that does not come within it is waited for no longer; the append is made again. */
const ATTEMPT_MS = 500;
/** Of an append that is to fail. */
const SHORT_MS = 1_000;
const NEVER = new Promise<void>(() => undefined);

describe('appending to an EventStoreDB that fails', () => {
  let standIn: EventStoreDbStandIn;
  let store: EventStoreDbEventStore;

  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start();
    const connectionString = standIn.connectionString();
    store = await EventStoreDbEventStore.open({
      connectionString,
      streamPrefix: '',
      attemptMs: ATTEMPT_MS,
    });
  });
  afterEach(async () => {
    await store.close();
    standIn.kill();
  });

  it('says that the outcome is unknown when the server stays silent, and the append can be repeated', async () => {
    const events = someEvents(2);
    standIn.misbehaviour.silent = true;
    const append = withPatience(SHORT_MS, () => store.append('s', 'no-stream', events));
    await expect(append).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(append).rejects.toThrow(/outcome of an append .* is unknown.*no answer within \d+ ms/);
    standIn.misbehaviour.silent = false;
    expect(await store.append('s', 'no-stream', events)).toMatchObject({ revision: 1 });
    expect(await store.readStream('s')).toHaveLength(2);
  });

  it('settles an append that was stored and answered too late', async () => {
    const { misbehaviour } = standIn;
    misbehaviour.onStored = () => {
      misbehaviour.answerAfter = NEVER;
      misbehaviour.onStored = () => (misbehaviour.answerAfter = undefined);
    };
    expect(await store.append('s', 'no-stream', someEvents(2))).toMatchObject({ revision: 1 });
    expect(await store.append('s', 1, someEvents(1))).toMatchObject({ revision: 2 });
    expect(await store.readStream('s')).toHaveLength(3);
  });

  it.each(['no-stream', 0, 'any', 'stream-exists'] as const)(
    'settles an append at %s that was stored when the server died before it answered',
    async (expected) => {
      if (expected !== 'no-stream') await store.append('s', 'no-stream', [anEvent()]);
      const { port, store: data, misbehaviour } = standIn;
      const events = someEvents(3);
      const restarted = new Promise<EventStoreDbStandIn>((resolve, reject) => {
        misbehaviour.onStored = () => {
          misbehaviour.answerAfter = NEVER;
          standIn.kill();
          EventStoreDbStandIn.start({ store: data, port }).then(resolve, reject);
        };
      });
      const { revision, position } = await store.append('s', expected, events);
      standIn = await restarted;
      const stored = await store.readStream('s', { direction: 'backwards', limit: 3 });
      expect(stored.map(({ eventId }) => eventId)).toEqual(events.map(({ eventId }) => eventId).toReversed());
      expect(stored[0]).toMatchObject({ revision, position });
    },
  );

  it('finds that another writer took the place of an append that was lost', async () => {
    const { misbehaviour } = standIn;
    const theirs = storedForm(anEvent());
    misbehaviour.silent = true;
    misbehaviour.onCall = () => {
      misbehaviour.onCall = undefined;
      void standIn.store.append('s', 'no-stream', [theirs]);
      setImmediate(() => (misbehaviour.silent = false));
    };
    await expect(store.append('s', 'no-stream', someEvents(1))).rejects.toMatchObject({ actual: 0 });
    expect((await store.readStream('s')).map(({ eventId }) => eventId)).toEqual([theirs.eventId]);
  });

  it('gets every append and every read through when each 7th call fails', async () => {
    const connectionString = standIn.connectionString();
    const patient = await EventStoreDbEventStore.open({ connectionString, streamPrefix: '' });
    standIn.misbehaviour.failEvery = 7;
    for (let n = 0; n < 30; n += 1) {
      await patient.append('s', n === 0 ? 'no-stream' : n - 1, [anEvent()]);
      expect(await patient.readStream('s')).toHaveLength(n + 1);
    }
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => patient.append(`s${n}`, 'no-stream', [anEvent()])),
    );
    expect(await follow(patient, 40)).toEqual(await patient.readAll({ limit: 100 }));
    await patient.close();
  });

  it('goes over to a new call when the server has forgotten the old one', async () => {
    await store.close();
    const { misbehaviour } = standIn;
    const connectionString = standIn.connectionString();
    store = await EventStoreDbEventStore.open({
      connectionString,
      streamPrefix: '',
      attemptMs: ATTEMPT_MS,
    });
    misbehaviour.silent = true;
    misbehaviour.onCall = () => void setImmediate(() => (misbehaviour.silent = false));
    expect(await store.append('s', 'no-stream', [anEvent()])).toMatchObject({ revision: 0 });
  });

  it('takes hundreds of first appends at once', async () => {
    const connectionString = standIn.connectionString();
    const fresh = await EventStoreDbEventStore.open({ connectionString, streamPrefix: '' });
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) => fresh.append(`s${n}`, 'no-stream', [anEvent()])),
    );
    expect(new Set(results.map(({ position }) => position)).size).toBe(300);
    await fresh.close();
  });

  it('says what the server said, and what to look at, when its disk is full', async () => {
    standIn.misbehaviour.failAppends = serviceError(UNKNOWN, 'There is not enough space on the disk.');
    const append = () => store.append('s', 'no-stream', [anEvent()]);
    expect(String(await failureOf(() => withPatience(SHORT_MS, append)))).toMatch(
      /disk is full.*There is not enough space on the disk.*Free space/,
    );
  });

  it('refuses an append that is larger than the server takes, and streams that are not of this log', async () => {
    const large = anEvent(JSON.stringify('x'.repeat(1024)));
    const strict = await EventStoreDbStandIn.start({ store: standIn.store, maxAppendSize: 1024 });
    const connectionString = strict.connectionString();
    const other = await EventStoreDbEventStore.open({ connectionString, streamPrefix: '' });
    await expect(other.append('s', 'no-stream', [large])).rejects.toThrow(
      /^\[AppendTooLarge\] cannot append to s: EventStoreDB at \S+ takes 1024 bytes .* Set MaxAppendSize /,
    );
    await other.close();
    strict.kill();
    await expect(store.append('log', 'any', [anEvent()])).rejects.toBeInstanceOf(InvalidAppend);
  });
});
