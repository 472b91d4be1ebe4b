import { type EventStore, isBlobStream, type StoredEvent, type StreamAppend } from '#lib/event-store';
import { keepTexts, withTexts } from './kept-texts.js';

/** The begin of names under which streams are kept that our port would not show by their own. */
const MARK = '-';

/**
 * A store of our port as the real server's log is: it shows every stream, and an append may hold more. Our port leaves blobs
 * out of its log by their names, so these have other ones here.
 */
export function serverStore(store: EventStore): EventStore {
  const shown = (events: readonly StoredEvent[]) =>
    Promise.all(events.map(async (event) => withOwnName(await withTexts(store, event))));
  return {
    logId: store.logId,
    append: async (stream, expected, events) =>
      store.append(keptName(stream), expected, await keepTexts(store, stream, events)),
    appendInOrder: async (appends) => {
      const kept: StreamAppend[] = [];
      for (const { stream, expected, events } of appends) {
        kept.push({ stream: keptName(stream), expected, events: await keepTexts(store, stream, events) });
      }
      return store.appendInOrder(kept);
    },
    readStream: async (stream, options) => shown(await store.readStream(keptName(stream), options)),
    readAll: async (options) => shown(await store.readAll(options)),
    head: () => store.head(),
    async *subscribe(after, signal) {
      for await (const batch of store.subscribe(after, signal)) yield await shown(batch);
    },
    close: () => store.close(),
  };
}

function keptName(stream: string): string {
  return stream.startsWith(MARK) || isBlobStream(stream) ? `${MARK}${stream}` : stream;
}

function withOwnName(event: StoredEvent): StoredEvent {
  return event.stream.startsWith(MARK) ? { ...event, stream: event.stream.slice(MARK.length) } : event;
}
