import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventStoreContract } from '#lib/event-store/testing';
import { SqliteEventStore } from './sqlite-event-store.js';

describeEventStoreContract(
  'SQLite',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redial-event-store-'));
    const opened: SqliteEventStore[] = [];
    const open = async () => {
      const store = await SqliteEventStore.open(join(folder, 'log', 'events.db'));
      opened.push(store);
      return store;
    };
    const cleanup = async () => {
      await Promise.all(opened.map((store) => store.close()));
      await rm(folder, { recursive: true });
    };
    return { store: await open(), reopen: open, second: open, cleanup };
  },
  ['reopen', 'second'],
);
