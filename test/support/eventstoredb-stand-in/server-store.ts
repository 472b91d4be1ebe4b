import {
  type AppendResult,
  appendSize,
  type EventStore,
  type EventToStore,
  type ExpectedRevision,
  isBlobStream,
  LARGEST_APPEND,
  type StoredEvent,
  type StreamAppend,
} from '#lib/event-store';
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
    append: (stream, expected, events) => appendWhole(store, keptName(stream), expected, events),
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

/** The server takes more events in one append than our port does: they are kept in several, which a crash may cut short. */
async function appendWhole(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly EventToStore[],
): Promise<AppendResult> {
  if (events.length === 1 || appendSize(stream, events) <= LARGEST_APPEND) {
    return store.append(stream, expected, await keepTexts(store, stream, events));
  }
  const half = Math.ceil(events.length / 2);
  const { revision } = await appendWhole(store, stream, expected, events.slice(0, half));
  return appendWhole(store, stream, revision, events.slice(half));
}

function keptName(stream: string): string {
  return stream.startsWith(MARK) || isBlobStream(stream) ? `${MARK}${stream}` : stream;
}

function withOwnName(event: StoredEvent): StoredEvent {
  return event.stream.startsWith(MARK) ? { ...event, stream: event.stream.slice(MARK.length) } : event;
}
