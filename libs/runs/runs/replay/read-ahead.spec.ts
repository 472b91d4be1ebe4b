import { expect, it } from '@jest/globals';
import { EventCodec, EventLog, InMemoryEventStore, type StoredEvent, StreamNames } from '#lib/event-store';
import { changedStore } from '#lib/event-store/testing';
import { derivedId } from '#lib/kernel';
import { ReadAhead } from './read-ahead.js';

const EVENTS = 6_500;
const NAMESPACE = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** A store with one stream over the whole log, and streams of ten events over half a page each. */
async function filled(): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  for (let count = 0; count < EVENTS; count++) {
    const short = `short-${Math.floor(count / 500)}-${count % 50}`;
    await store.append(count % 100 === 0 ? 'long-1' : short, 'any', [counted(count)]);
  }
  return store;
}

function counted(count: number) {
  return { eventId: derivedId(NAMESPACE, `${count}`), type: 'Counted', data: '{}', metadata: '{}' };
}

function withoutBeginning(event: StoredEvent): StoredEvent {
  return event.stream === 'short-0-1' && event.revision === 0 ? { ...event, stream: 'gone' } : event;
}

it('what is read ahead is what the streams hold, and only what reaches further is read again', async () => {
  const store = await filled();
  const again: string[] = [];
  const damaged = changedStore(store, {
    readStream: async (stream, options) => {
      again.push(stream);
      return store.readStream(stream, options);
    },
    readAll: async (options) => (await store.readAll(options)).map(withoutBeginning),
    lastRevisions: (streams) => store.lastRevisions(streams),
  });
  const ahead = new ReadAhead(new EventLog(damaged, new EventCodec([]), new StreamNames()));
  const seen = new Set<string>();
  for await (const page of ahead.pages()) {
    for (const { stream } of page) {
      if (seen.has(stream)) continue;
      seen.add(stream);
      expect(await ahead.log.store.readStream(stream)).toEqual(await store.readStream(stream));
    }
  }
  expect(seen.size).toBe(652);
  expect(again).toEqual(['long-1', 'gone', 'short-0-1']);
});

it('a stream that grew after its page was read is read again', async () => {
  const store = new InMemoryEventStore();
  await store.append('growing-1', 'any', [counted(0)]);
  const ahead = new ReadAhead(new EventLog(store, new EventCodec([]), new StreamNames()));
  for await (const page of ahead.pages()) {
    expect(page).toHaveLength(1);
    await store.append('growing-1', 'any', [counted(1)]);
    expect(await ahead.log.store.readStream('growing-1')).toHaveLength(2);
  }
  expect.assertions(2);
});

it('reads no page ahead where the store does not know the last revisions', async () => {
  const store = await filled();
  let reads = 0;
  const plain = changedStore(store, {
    readAll: async (options) => {
      reads += 1;
      return store.readAll(options);
    },
  });
  const ahead = new ReadAhead(new EventLog(plain, new EventCodec([]), new StreamNames()));
  let pages = 0;
  for await (const _ of ahead.pages()) expect(reads).toBe(++pages);
  expect(pages).toBe(7);
});
