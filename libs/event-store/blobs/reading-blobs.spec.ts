import { beforeEach, describe, expect, it } from '@jest/globals';
import { UndecodableEvent } from '../event-codec.js';
import { EventLog } from '../event-log.js';
import type { EventStore, StoredEvent } from '../event-store.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { StreamNames } from '../stream-names.js';
import { changedStore } from '../testing/changed-store.js';
import { codec, firstStored, kib, said } from '../testing/large-events.js';

const names = new StreamNames();

type Chunks = readonly StoredEvent[];
type Encoding = { readonly blobs: readonly object[] };

describe('an event with a blob', () => {
  let store: InMemoryEventStore;
  let log: EventLog;
  let event: StoredEvent;

  beforeEach(async () => {
    store = new InMemoryEventStore();
    log = new EventLog(store, codec, names);
    const once = { a: kib(1000) };
    await log.append('s', 'any', [said(once), said(once), said({ a: 1 })]);
    event = await firstStored(store);
  });

  /** The stored event with a changed encoding. */
  function encodedAs(change: (encoding: Encoding) => unknown): StoredEvent {
    const { encoding, ...metadata } = JSON.parse(event.metadata) as { encoding: Encoding };
    return { ...event, metadata: JSON.stringify({ ...metadata, encoding: change(encoding) }) };
  }

  const pointingTo = (pointer: string) =>
    encodedAs(({ blobs }) => ({ blobs: blobs.map((blob) => ({ ...blob, pointer })) }));

  it('cannot be read when the blob is missing, or was not read', async () => {
    const elsewhere = new EventLog(new InMemoryEventStore(), codec, names);
    const message =
      /^\[UndecodableEvent\] event Said at s revision 0 cannot be read: the blob of \/data\/a, [0-9a-f]{64}, is missing or changed\. /;
    await expect(elsewhere.decode(event)).rejects.toThrow(message);
    await expect(elsewhere.decodeAll([event])).rejects.toThrow(message);
    expect(() => codec.decode(event)).toThrow(message);
  });

  it.each<[string, (chunks: Chunks) => Chunks]>([
    [
      'a letter is another',
      ([first, ...rest]) => [changed(first, (data) => data.replace('xx', 'xy')), ...rest],
    ],
    ['its end is gone', (chunks) => chunks.slice(0, -1)],
    ['something was added', (chunks) => [...chunks, ...chunks.slice(0, 1)]],
    ['its chunks changed places', (chunks) => chunks.toReversed()],
    ['a chunk is no JSON', ([first, ...rest]) => [changed(first, () => 'none'), ...rest]],
  ])('cannot be read where the blob was changed: %s', async (_, change) => {
    const readStream: EventStore['readStream'] = async (...args) => change(await store.readStream(...args));
    const tampered = new EventLog(changedStore(store, { readStream }), codec, names);
    await expect(tampered.decode(event)).rejects.toThrow(/is missing or changed/);
  });

  it('cannot be read when the moved member has a value', async () => {
    await expect(log.decode({ ...event, data: '{"a":0}' })).rejects.toThrow(/does not belong there/);
    await expect(log.decode({ ...event, data: '{}' })).rejects.toThrow(/does not belong there/);
  });

  it.each(['', 'data/a', '/data', '/metadata', '/data/b', '/other/a', '/data/a/b', '/data/constructor'])(
    'cannot be read when a blob is to go to %j',
    async (pointer) => {
      await expect(log.decode(pointingTo(pointer))).rejects.toBeInstanceOf(UndecodableEvent);
    },
  );

  it('is put together wherever a reference points to', async () => {
    const before = '{"list":[0,{"z":1,"deep":null,"a":2}]}';
    const { data } = await log.decode({ ...pointingTo('/data/list/1/deep'), data: before });
    expect(JSON.stringify(data)).toBe(before.replace('null', JSON.stringify(kib(1000))));
  });

  it('cannot be read where it is encoded in a way that is not known here', async () => {
    const gzip = encodedAs((encoding) => ({ ...encoding, gzip: true }));
    await expect(log.decode(gzip)).rejects.toThrow(/its encoding is not known here/);
    for (const encoding of [
      'gzip',
      null,
      {},
      { blobs: [] },
      { blobs: {} },
      { blobs: [null] },
      { blobs: [{}] },
    ])
      await expect(log.decode(encodedAs(() => encoding))).rejects.toThrow(/its encoding is not known here/);
  });

  it('shares the reading of the blob with the others of its batch', async () => {
    const read: string[] = [];
    const readStream: EventStore['readStream'] = (stream, options) => {
      read.push(stream);
      return store.readStream(stream, options);
    };
    const counting = new EventLog(changedStore(store, { readStream }), codec, names);
    const events = await counting.readStream('s');
    expect(events.map(({ data }) => data)).toEqual([{ a: kib(1000) }, { a: kib(1000) }, { a: 1 }]);
    expect(read).toEqual(['s', expect.stringMatching(/^redial_blob-/)]);
  });
});

function changed(event: StoredEvent | undefined, change: (data: string) => string): StoredEvent {
  if (event === undefined) throw new Error('There is no chunk.');
  return { ...event, data: change(event.data) };
}
