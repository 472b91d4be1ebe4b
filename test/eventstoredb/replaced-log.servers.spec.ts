import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type EventStore, InMemoryEventStore, StoreUnavailable } from '#lib/event-store';
import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { anEvent, follow } from './sample-events.js';
import { storedForm } from './stored-form.js';

describe('0.2-E7 a server that comes back with another log', () => {
  let standIn: EventStoreDbStandIn;
  let store: EventStoreDbEventStore;
  beforeEach(async () => {
    standIn = await EventStoreDbStandIn.start();
    const connectionString = standIn.connectionString();
    store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
    await store.append('redial_s', 'no-stream', [anEvent()]);
  });
  afterEach(async () => {
    await store.close();
    standIn.kill();
  });

  async function comesBackWith(log: EventStore): Promise<void> {
    standIn = await standIn.replacedBy(log);
  }

  async function expectRefusals(why: RegExp): Promise<void> {
    const uses = [
      // The first call may meet the connection in the moment of its end.
      () => store.readStream('redial_s'),
      () => store.append('redial_other', 'no-stream', [anEvent()]),
      () => store.append('redial_s', 'any', [anEvent()]),
      () => store.head(),
      // As the readiness of a server looks at it.
      () => store.readAll({ direction: 'backwards', limit: 1 }),
    ];
    for (const use of uses) {
      const failing = use();
      await expect(failing).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(failing).rejects.toThrow(/^\[LogReplaced\] .* was replaced while this process ran: /);
      await expect(failing).rejects.toThrow(why);
    }
    const written = await standIn.store.readAll({ limit: 99 });
    expect(written.filter(({ stream }) => stream === 'redial_other')).toEqual([]);
  }

  it('that is empty is not used, and is not made a log', async () => {
    await comesBackWith(new InMemoryEventStore());
    await expectRefusals(/stream redial_log is missing/);
    expect(await standIn.store.readStream('redial_log')).toEqual([]);
  });

  it('that another engine began is not used', async () => {
    await comesBackWith(new InMemoryEventStore());
    const connectionString = standIn.connectionString();
    const other = await EventStoreDbEventStore.open({ connectionString, streamPrefix: 'redial_' });
    await expectRefusals(/stream redial_log is of another log/);
    await other.close();
  });

  it('that is an older backup is not used', async () => {
    const backup = await copyOf(standIn.store);
    await store.append('redial_s', 0, [anEvent()]);
    await comesBackWith(backup);
    await expectRefusals(/the last event that this process knows is missing/);
  });

  it('that is an older backup is not used after others have appended to it', async () => {
    const backup = await copyOf(standIn.store);
    await store.append('redial_s', 0, [anEvent()]);
    await backup.append('redial_s', 0, [storedForm(anEvent())]);
    await comesBackWith(backup);
    await expectRefusals(/the last event that this process knows is missing/);
  });

  it('is used, and its log followed, once it has the right one again', async () => {
    const right = standIn.store;
    const following = follow(store, 2);
    await comesBackWith(new InMemoryEventStore());
    await expectRefusals(/is missing/);
    await comesBackWith(right);
    expect(await store.append('redial_s', 0, [anEvent()])).toMatchObject({ revision: 1 });
    expect((await following).map(({ revision }) => revision)).toEqual([0, 1]);
  });
});

/** The same events at the same positions. */
async function copyOf(store: EventStore): Promise<InMemoryEventStore> {
  const copy = new InMemoryEventStore();
  for (const { stream, revision, ...event } of await store.readAll({ limit: 999 })) {
    await copy.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event]);
  }
  return copy;
}
