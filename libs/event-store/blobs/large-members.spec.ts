import { beforeEach, describe, expect, it } from '@jest/globals';
import { appendSize, LARGEST_APPEND } from '../append-size.js';
import { AppendTooLarge, StoreUnavailable } from '../errors.js';
import { EventCodec, type NewEvent } from '../event-codec.js';
import { EventLog } from '../event-log.js';
import type { EventStore } from '../event-store.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { StreamNames } from '../stream-names.js';
import { changedStore } from '../testing/changed-store.js';
import { about, blobStream, codec, firstStored, kib, said } from '../testing/large-events.js';
import { BlobDamaged } from './blob-streams.js';

const names = new StreamNames();

describe('large members', () => {
  let store: InMemoryEventStore;
  let log: EventLog;
  /** The streams that were appended to. */
  let written: Set<string>;

  beforeEach(() => {
    store = new InMemoryEventStore();
    written = new Set();
    const append: EventStore['append'] = (stream, ...args) => {
      written.add(stream);
      return store.append(stream, ...args);
    };
    log = new EventLog(changedStore(store, { append }), codec, names);
  });

  const append = (...events: NewEvent[]) => log.append('s', 'any', events);
  const pointers = async () =>
    (await store.readStream('s')).map((event) => codec.blobsOf(event).map(({ pointer }) => pointer));
  const blobs = () => [...written].filter((stream) => stream.startsWith('redial_blob-'));

  it('stay where they are up to 256 KiB of JSON text, to the byte, however large the append is that they fit', async () => {
    const limit = kib(256).slice(2);
    const event = said({ a: limit, b: limit }, { command: limit });
    await append(event);
    expect(await firstStored(store)).toMatchObject(codec.encode(event, 's'));
    expect(blobs()).toEqual([]);
    await append(said({ a: `${limit}x` }));
    expect(blobs()).toHaveLength(1);
  });

  it('go into a stream named by their hash, and leave null in their place', async () => {
    const data = { first: 1, a: kib(250), b: { deep: [kib(500)] }, c: kib(200), last: [] };
    await append(said(data));
    const event = await firstStored(store);
    expect(event.data).toBe(JSON.stringify({ ...data, b: { deep: [null] } }));
    const reference = { pointer: '/data/b/deep/0', bytes: 500 * 1024 + 2 };
    const encoding = { blobs: [{ ...reference, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] };
    expect(JSON.parse(event.metadata)).toEqual({ ...about, encoding });
    expect(blobs()).toEqual([blobStream(event)]);
    const chunks = await store.readStream(blobStream(event));
    expect(chunks.map((chunk) => [chunk.type, chunk.metadata])).toEqual([
      ['BlobChunk', '{}'],
      ['BlobChunk', '{}'],
    ]);
    const pieces = chunks.map(
      (chunk) => JSON.parse(chunk.data) as { index: number; count: number; text: string },
    );
    expect(pieces.map(({ index, count }) => [index, count])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(pieces.map(({ text }) => text).join('')).toBe(JSON.stringify(data.b.deep[0]));
    const [read] = await log.readStream('s');
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data));
  });

  it('leave metadata as well, and come back as if they had never been away', async () => {
    const event = said({ a: kib(600) }, { command: { note: kib(700) }, prevHash: 'k' });
    await append(event);
    expect(await pointers()).toEqual([['/data/a', '/metadata/command/note']]);
    const [read] = await log.readStream('s');
    expect(JSON.stringify(read?.metadata)).toBe(JSON.stringify(event.metadata));
  });

  it('take the rest of whole members along, the largest first, where an append does not fit without', async () => {
    const rest = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, kib(200)]));
    const large = { ...rest, deep: [kib(300, 'y')] };
    const data = { one: large, other: { ...large, d: kib(10) }, small: kib(1) };
    await append(said(data));
    expect(await pointers()).toEqual([['/data/other', '/data/one/deep/0', '/data/other/deep/0']]);
    const [read] = await log.readStream('s');
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data));
  });

  it('0.2-O6: of several events, at whatever place they stand, are one blob where they are equal', async () => {
    const given = { order: kib(400), note: 1 };
    await append(said({ metaJson: given }, { command: { besides: { metaJson: given } } }));
    await append(said({ executed: [{ arguments: given }] }));
    expect(blobs()).toHaveLength(1);
    const read = await log.readStream('s');
    expect(read.map(({ data }) => data)).toEqual([{ metaJson: given }, { executed: [{ arguments: given }] }]);
  });

  it('are not looked for in lists of hundreds, or deeper than a few levels: what holds them goes whole', async () => {
    const many = [...Array.from({ length: 200 }, (_, n) => n), kib(300)];
    const deep = { a: { a: { a: { a: { a: { a: { a: { a: kib(300) } } } } } } } };
    await append(said({ many, deep }));
    expect(await pointers()).toEqual([['/data/many', '/data/deep/a/a/a/a/a/a']]);
    expect((await log.readStream('s'))[0]?.data).toEqual({ many, deep });
  });

  it('with long names go with what holds them: the event names each that it leaves', async () => {
    const long = { ['~'.repeat(500_000)]: kib(300), b: { ['\u0001'.repeat(257)]: [kib(300)] } };
    const data = { result: { long }, b: { ['/'.repeat(256)]: kib(300) } };
    await append(said(data));
    expect(await pointers()).toEqual([['/data/result/long', `/data/b/${'~1'.repeat(256)}`]]);
    expect((await log.readStream('s'))[0]?.data).toEqual(data);
  });

  it('with the same text are stored once', async () => {
    const data = { a: kib(700), b: kib(700), c: kib(700) };
    await append(said(data), said(data));
    expect((await pointers()).flat()).toHaveLength(6);
    expect(blobs()).toHaveLength(1);
    await log.append('other', 'any', [said({ d: kib(2000, 'y') })]);
    const last = await append(said({ elsewhere: kib(2000, 'y') }));
    expect(blobs()).toHaveLength(2);
    expect(await store.head()).toBe(last.position);
  });

  it('may hold and be called anything: halves of pairs, quotes, names that every object has', async () => {
    const long = `"${'👩'.repeat(400_000)}\\\u0000\ud83d`;
    const members = [long, { z: long, a: 1 }, [kib(700, '"')]].map((value) => JSON.stringify(value));
    const data = JSON.parse(
      `{"b":1,"__proto__":${members[0]},"a/b~c":${members[1]},"":${members[2]}}`,
    ) as object;
    await append(said(data));
    expect((await pointers()).flat().toSorted()).toEqual(['/data//0', '/data/__proto__', '/data/a~1b~0c/z']);
    const [read] = await log.readStream('s');
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(data));
    for (const stream of blobs())
      for (const chunk of await store.readStream(stream))
        expect(appendSize(stream, [chunk])).toBeLessThan(LARGEST_APPEND);
  });

  it('come back before upcasters run', async () => {
    const old = new EventLog(store, new EventCodec([{ Renamed: { version: 1 } }]), names);
    const event = { type: 'Renamed', data: { old: kib(1200) } };
    await old.append('s', 'any', [{ eventId: 'e', event, metadata: about }]);
    expect((await log.readStream('s'))[0]?.data).toEqual({ now: kib(1200) });
  });

  it('are refused when there are too many of no more than 256 KiB, before anything is written', async () => {
    const data = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, kib(255)]));
    await expect(append(said({ ...data, huge: kib(3000) }))).rejects.toThrow(
      /^\[AppendTooLarge\] cannot append to s: 1 events of \d+ bytes, of which the largest is Said with \d+, are more than the 1000000 bytes that one append may hold\. Nothing was written\. /,
    );
    await expect(append(said(data))).rejects.toBeInstanceOf(AppendTooLarge);
    expect([...written]).toEqual([]);
  });

  it('are finished by the next writer when one has died half way, and stored once by many at a time', async () => {
    const event = said({ a: kib(2500) });
    await append(event);
    const stream = blobStream(await firstStored(store));
    const whole = (await store.readStream(stream)).map(({ eventId, data }) => [eventId, data]);

    const second = new InMemoryEventStore();
    const dying = new EventLog(failingAt(second, 2), codec, names);
    await expect(dying.append('s', 'any', [event])).rejects.toBeInstanceOf(StoreUnavailable);
    const begun = (await second.readStream(stream)).length;
    expect([begun > 0, begun < whole.length, await second.readStream('s')]).toEqual([true, true, []]);
    const others = new EventLog(second, codec, names);
    await Promise.all(Array.from({ length: 8 }, (_, n) => others.append(`s${n}`, 'any', [event])));
    expect((await second.readStream(stream)).map(({ eventId, data }) => [eventId, data])).toEqual(whole);
    expect((await others.readStream('s7'))[0]?.data).toEqual(event.event.data);
  });

  it('cannot be stored when the stream of their hash has other content: that is not a conflict to retry', async () => {
    const event = said({ a: kib(1000) });
    await append(event);
    const stream = blobStream(await firstStored(store));
    const damaged = new InMemoryEventStore();
    await damaged.append(stream, 'any', [{ eventId: 'x', type: 'X', data: '{}', metadata: '{}' }]);
    const appending = new EventLog(damaged, codec, names).append('s', 'any', [event]);
    await expect(appending).rejects.toBeInstanceOf(BlobDamaged);
  });
});

/** A store whose n-th append fails, and all after it. */
function failingAt(store: EventStore, n: number): EventStore {
  let appends = 0;
  const append: EventStore['append'] = (...args) => {
    appends += 1;
    if (appends < n) return store.append(...args);
    return Promise.reject(new StoreUnavailable('the store', 'it is gone', 'Try again'));
  };
  return changedStore(store, { append });
}
