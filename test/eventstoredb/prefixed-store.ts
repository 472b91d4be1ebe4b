import { type EventStore, RevisionConflict, type StoredEvent } from '#lib/event-store';

/**
 * Lets the contract's streams live under a prefix, so that each of its tests has a log of its own on a shared server.
 * @param onAppend learns the server's name of each stream that is appended to
 */
export function prefixedStore(
  store: EventStore,
  prefix: string,
  onAppend: (stream: string) => unknown = () => undefined,
): EventStore {
  const shown = (events: readonly StoredEvent[]) =>
    events.map((event) => ({ ...event, stream: event.stream.slice(prefix.length) }));
  const hidden = (stream: string) => {
    if (stream === '') return '';
    onAppend(prefix + stream);
    return prefix + stream;
  };
  const shownConflict = (error: unknown) => {
    if (!(error instanceof RevisionConflict)) throw error;
    const { stream, expected, actual, written } = error;
    throw new RevisionConflict(stream.slice(prefix.length), expected, actual, written);
  };
  return {
    logId: store.logId,
    append: (stream, expected, events) => store.append(hidden(stream), expected, events).catch(shownConflict),
    appendInOrder: (appends) =>
      store
        .appendInOrder(appends.map((append) => ({ ...append, stream: hidden(append.stream) })))
        .catch(shownConflict),
    readStream: async (stream, options) => shown(await store.readStream(prefix + stream, options)),
    readAll: async (options) => shown(await store.readAll(options)),
    head: () => store.head(),
    async *subscribe(after, signal) {
      for await (const batch of store.subscribe(after, signal)) yield shown(batch);
    },
    close: () => store.close(),
  };
}
