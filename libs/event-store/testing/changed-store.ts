import type { EventStore } from '../event-store.js';

/** The store with some of its methods replaced. */
export function changedStore(store: EventStore, changes: Partial<EventStore>): EventStore {
  return {
    logId: store.logId,
    append: (...args) => store.append(...args),
    appendInOrder: (...args) => store.appendInOrder(...args),
    readStream: (...args) => store.readStream(...args),
    readAll: (...args) => store.readAll(...args),
    head: () => store.head(),
    subscribe: (...args) => store.subscribe(...args),
    close: () => store.close(),
    ...changes,
  };
}
