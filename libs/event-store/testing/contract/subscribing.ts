import { expect, it } from '@jest/globals';
import type { StoredEvent } from '../../event-store.js';
import { beyond, caughtUp, follow, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

export function describeSubscribing(subject: CurrentSubject): void {
  it('says at once that it is caught up on an empty log', async () => {
    expect(await caughtUp(subject().store)).toEqual([]);
  });

  it('gives everything that is there, in order, before it is caught up', async () => {
    const { store } = subject();
    await store.append('a', 'any', someEvents(300));
    await store.append('b', 'any', someEvents(5));
    expect(await caughtUp(store)).toEqual(await wholeLog(store));
  });

  it('continues with later appends, each event once and in order', async () => {
    const { store } = subject();
    await store.append('a', 'any', someEvents(3));
    let late: Promise<unknown> | undefined;
    const seen = await follow(store, undefined, (events, batch) => {
      // The next events are appended only after this batch, so they can only arrive live.
      if (batch.length === 0) late ??= appendOneByOne(() => store.append('b', 'any', someEvents(2)), 20);
      return events.length === 43;
    });
    await late;
    expect(seen).toEqual(await wholeLog(store));
  });

  it('starts after the given position', async () => {
    const { store } = subject();
    await store.append('a', 'any', someEvents(10));
    const log = await wholeLog(store);
    expect(await caughtUp(store, log[6]?.position)).toEqual(log.slice(7));
    expect(await caughtUp(store, log[9]?.position)).toEqual([]);
  });

  it('waits at a position beyond the head', async () => {
    const { store } = subject();
    const { position } = await store.append('a', 'any', someEvents(2));
    expect(await caughtUp(store, beyond(store, position))).toEqual([]);
  });

  it('misses nothing that is appended while it catches up', async () => {
    const { store } = subject();
    await store.append('a', 'any', someEvents(400));
    const writing = appendOneByOne(() => store.append('b', 'any', someEvents(3)), 50);
    const seen = await follow(store, undefined, (events) => events.length === 550);
    await writing;
    expect(seen).toEqual(await wholeLog(store));
  });

  it('loses nothing for a consumer that is slower than the writers', async () => {
    const { store } = subject();
    const seen = await follow(store, undefined, async (events) => {
      if (events.length < 600) await store.append('a', 'any', someEvents(200));
      return events.length >= 600;
    });
    expect(seen).toEqual((await wholeLog(store)).slice(0, seen.length));
  });

  it('gives several subscribers the same', async () => {
    const { store } = subject();
    const following = [1, 2, 3].map(() => follow(store, undefined, (events) => events.length === 40));
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.append(`s${n}`, 'any', someEvents(1))));
    const log = await wholeLog(store);
    expect(await Promise.all(following)).toEqual([log, log, log]);
  });

  it('ends when the signal aborts, waiting or not', async () => {
    const { store } = subject();
    await store.append('a', 'any', someEvents(1));
    const waiting = new AbortController();
    const batches: (readonly StoredEvent[])[] = [];
    for await (const batch of store.subscribe(undefined, waiting.signal)) {
      batches.push(batch);
      // The microtask aborts after the loop has asked for the next batch, which never comes.
      if (batch.length === 0) queueMicrotask(() => waiting.abort());
    }
    expect(batches.map((batch) => batch.length)).toEqual([1, 0]);
    for await (const batch of store.subscribe(undefined, AbortSignal.abort())) batches.push(batch);
    expect(batches).toHaveLength(2);
  });

  it('ends when the store closes, and for a store that is closed', async () => {
    const { store } = subject();
    let closing: Promise<void> | undefined;
    const { signal } = new AbortController();
    for await (const batch of store.subscribe(undefined, signal)) {
      if (batch.length === 0) closing = store.close();
    }
    await closing;
    expect(closing).toBeDefined();
    for await (const batch of store.subscribe(undefined, signal)) expect(batch).toBe('never');
  });
}

async function appendOneByOne(append: () => Promise<unknown>, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) await append();
}
