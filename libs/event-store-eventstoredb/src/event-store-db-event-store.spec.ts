import { InMemoryEventStore } from '#lib/event-store';
import { describeEventStoreContract } from '#lib/event-store/testing';
import { EventStoreDbStandIn } from '../../../test/support/eventstoredb-stand-in/eventstoredb-stand-in.js';
import { EventStoreDbEventStore } from './event-store-db-event-store.js';

describeEventStoreContract(
  'EventStoreDB',
  async () => {
    const data = new InMemoryEventStore();
    const standIn = await EventStoreDbStandIn.start({ store: data });
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
      await data.close();
    };
    return { store: await open(), reopen: open, second: open, cleanup };
  },
  ['reopen', 'second'],
);
