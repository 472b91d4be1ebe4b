import { expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../errors.js';
import type { ReadStreamOptions } from '../../event-store.js';
import { ForeignPosition, formatPosition, type Position } from '../../position.js';
import { anEvent, beyond, someEvents, wholeLog } from './sample-events.js';
import type { CurrentSubject } from './subject.js';

const TEXTS = [
  '{"b":1,"a":2,"10":3,"9":4}',
  '{ "spaced" :\t[ 1 , 2 ]\n}',
  '{"text":"żółć 漢字 👩🏽‍🚀 \u2028 \\u0000 \\ud800 e\u0301"}',
  '{"big":12345678901234567890,"exact":1.10,"e":1e400}',
  '{"nul":"\u0000 within"}',
];

export function describeReading(subject: CurrentSubject): void {
  it('gives events back to the letter', async () => {
    const { store } = subject();
    const events = TEXTS.map((text) => ({ ...anEvent(text), type: 'Zażółć', metadata: text }));
    await store.append('ström-漢', 'no-stream', events);
    const stored = await store.readStream('ström-漢');
    expect(stored).toEqual(
      events.map((event, revision) => ({
        ...event,
        stream: 'ström-漢',
        revision,
        position: stored[revision]?.position,
      })),
    );
    expect(await wholeLog(store)).toEqual(stored);
  });

  it('keeps bodies of 300 KiB', async () => {
    const { store } = subject();
    const events = ['x', 'ż', '👩'].map((letter) =>
      anEvent(JSON.stringify({ body: letter.repeat((300 * 1024) / Buffer.byteLength(letter)) })),
    );
    await store.append('large', 'no-stream', events);
    const stored = await store.readStream('large');
    expect(stored.map((event, n) => event.data === events[n]?.data)).toEqual([true, true, true]);
  });

  it('gives nothing for a stream that does not exist', async () => {
    const { store } = subject();
    expect(await store.readStream('nowhere')).toEqual([]);
    expect(await store.readStream('nowhere', { direction: 'backwards', from: 3, limit: 2 })).toEqual([]);
  });

  it('knows the last revisions of streams, where it can tell them without reading these', async () => {
    const { store } = subject();
    if (!store.lastRevisions) return;
    await store.append('s', 'no-stream', someEvents(5));
    await store.append('"', 'no-stream', someEvents(1));
    expect(await store.lastRevisions(['nowhere', '"', 's', 's'])).toEqual([undefined, 0, 4, 4]);
    expect(await store.lastRevisions([])).toEqual([]);
  });

  it('reads a stream from a revision, inclusive, in both directions', async () => {
    const { store } = subject();
    await store.append('s', 'no-stream', someEvents(5));
    await store.append('other', 'no-stream', someEvents(2));
    const revisions = async (options: ReadStreamOptions) =>
      (await store.readStream('s', options)).map((event) => event.revision);
    expect(await revisions({})).toEqual([0, 1, 2, 3, 4]);
    expect(await revisions({ from: 3 })).toEqual([3, 4]);
    expect(await revisions({ from: 1, limit: 2 })).toEqual([1, 2]);
    expect(await revisions({ from: 5 })).toEqual([]);
    expect(await revisions({ limit: 0 })).toEqual([]);
    const direction = 'backwards';
    expect(await revisions({ direction })).toEqual([4, 3, 2, 1, 0]);
    expect(await revisions({ direction, limit: 1 })).toEqual([4]);
    expect(await revisions({ direction, from: 2 })).toEqual([2, 1, 0]);
    expect(await revisions({ direction, from: 99, limit: 2 })).toEqual([4, 3]);
    expect(await revisions({ direction, from: 0 })).toEqual([0]);
  });

  it('reads the log after a position, or before it', async () => {
    const { store } = subject();
    for (const stream of ['a', 'b', 'a', 'c', 'b']) await store.append(stream, 'any', someEvents(1));
    const log = await wholeLog(store);
    const at = (index: number): Position => log[index]?.position as Position;
    const direction = 'backwards';
    expect(await store.readAll({ limit: 2 })).toEqual(log.slice(0, 2));
    expect(await store.readAll({ from: at(1), limit: 2 })).toEqual(log.slice(2, 4));
    expect(await store.readAll({ from: at(4), limit: 9 })).toEqual([]);
    expect(await store.readAll({ direction, limit: 2 })).toEqual([log[4], log[3]]);
    expect(await store.readAll({ direction, from: at(3), limit: 2 })).toEqual([log[2], log[1]]);
    expect(await store.readAll({ direction, from: at(0), limit: 9 })).toEqual([]);
    expect(await store.readAll({ direction, limit: 9 })).toEqual(log.toReversed());
  });

  it.each(['forwards', 'backwards'] as const)(
    'ends a page with the event with which its texts are as long as asked for, %s',
    async (direction) => {
      const { store } = subject();
      for (const length of [10, 20, 5000, 30, 40]) {
        await store.append('s', 'any', [anEvent(JSON.stringify({ text: 'x'.repeat(length) }))]);
      }
      const log = await store.readAll({ direction, limit: 9 });
      expect(await store.readAll({ direction, limit: 9, bytes: 1 })).toEqual(log.slice(0, 1));
      expect(await store.readAll({ direction, limit: 9, bytes: 1000 })).toEqual(log.slice(0, 3));
      expect(await store.readAll({ direction, limit: 2, bytes: 1000 })).toEqual(log.slice(0, 2));
      expect(await store.readAll({ direction, limit: 9, bytes: 50_000 })).toEqual(log);
      const from = log[1]?.position as Position;
      expect(await store.readAll({ direction, from, limit: 9, bytes: 1000 })).toEqual(log.slice(2, 3));
    },
  );

  it('names the position of the last event as its head', async () => {
    const { store } = subject();
    expect(await store.head()).toBeUndefined();
    const { position } = await store.append('s', 'no-stream', someEvents(3));
    expect(await store.head()).toBe(position);
    expect(position.startsWith(`${store.logId}.`)).toBe(true);
  });

  it('refuses the positions of other logs', async () => {
    const { store } = subject();
    await store.append('s', 'no-stream', someEvents(1));
    const foreign = [formatPosition('another-log', 1), '1' as Position, `${store.logId}.1` as Position];
    for (const from of foreign) {
      await expect(store.readAll({ from, limit: 1 })).rejects.toBeInstanceOf(ForeignPosition);
      const batches = store.subscribe(from, new AbortController().signal);
      await expect(batches[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(ForeignPosition);
    }
  });

  it('finds nothing after a position beyond the head', async () => {
    const { store } = subject();
    const { position } = await store.append('s', 'no-stream', someEvents(2));
    for (const from of [beyond(store, position), formatPosition(store.logId, 2n ** 64n - 1n)]) {
      expect(await store.readAll({ from, limit: 9 })).toEqual([]);
      const [last] = await store.readAll({ from, direction: 'backwards', limit: 1 });
      expect(last?.position).toBe(position);
    }
  });

  it('says that it is closed, and closes once', async () => {
    const { store } = subject();
    const running = store.append('s', 'no-stream', someEvents(1));
    await store.close();
    expect(await running).toMatchObject({ revision: 0 });
    await store.close();
    await expect(store.append('s', 'any', someEvents(1))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.readStream('s')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.readAll({ limit: 1 })).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.head()).rejects.toBeInstanceOf(StoreUnavailable);
  });
}
