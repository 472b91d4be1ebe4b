import { EventStoreDbEventStore } from '#lib/event-store-eventstoredb';
import type { ContractSubject } from '#lib/event-store/testing';
import {
  EventStoreDbStandIn,
  type StandInOptions,
} from '../support/eventstoredb-stand-in/eventstoredb-stand-in.js';

export type StandInSubject = Required<Omit<ContractSubject, 'hiddenPrefix'>> & {
  readonly store: EventStoreDbEventStore;
  readonly standIn: EventStoreDbStandIn;
};

/** A fresh stand-in, and stores on it. */
export async function standInSubject(options: StandInOptions = {}): Promise<StandInSubject> {
  const standIn = await EventStoreDbStandIn.start(options);
  const opened: EventStoreDbEventStore[] = [];
  const open = async () => {
    const connectionString = standIn.connectionString();
    const store = await EventStoreDbEventStore.open({ connectionString, streamPrefix: '' });
    opened.push(store);
    return store;
  };
  const cleanup = async () => {
    await Promise.all(opened.map((store) => store.close()));
    standIn.kill();
  };
  return { store: await open(), standIn, reopen: open, second: open, cleanup };
}
