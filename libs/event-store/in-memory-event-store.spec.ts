import { describe, expect, it } from '@jest/globals';
import { InvalidLogId } from './position.js';
import { InMemoryEventStore } from './in-memory-event-store.js';
import { describeEventStoreContract } from './testing/event-store.contract.js';

describeEventStoreContract('in memory', async () => {
  const store = new InMemoryEventStore();
  return { store, cleanup: () => store.close() };
});

describe('InMemoryEventStore', () => {
  it('takes the name of its log, or makes one', () => {
    expect(new InMemoryEventStore('test-log').logId).toBe('test-log');
    expect(new InMemoryEventStore().logId).not.toBe(new InMemoryEventStore().logId);
  });

  it('refuses a log id that positions cannot carry', () => {
    for (const logId of ['', 'a.b']) expect(() => new InMemoryEventStore(logId)).toThrow(InvalidLogId);
  });
});
