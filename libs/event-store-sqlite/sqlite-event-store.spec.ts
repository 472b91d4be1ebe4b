import { join } from 'node:path';
import { temporaryFolder } from '#lib/kernel/testing';
import { describeEventStoreContract } from '#lib/event-store/testing';
import { SqliteEventStore } from './sqlite-event-store.js';

describeEventStoreContract(
  'SQLite',
  async () => {
    const folder = temporaryFolder();
    const opened: SqliteEventStore[] = [];
    const open = async () => {
      const store = await SqliteEventStore.open(join(folder, 'log', 'events.db'));
      opened.push(store);
      return store;
    };
    const cleanup = async () => {
      await Promise.all(opened.map((store) => store.close()));
    };
    return { store: await open(), reopen: open, second: open, cleanup };
  },
  ['reopen', 'second'],
);
