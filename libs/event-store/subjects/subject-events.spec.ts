import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { jsonText } from '#lib/kernel';
import * as fc from 'fast-check';
import { RevisionConflict } from '../errors.js';
import { EventCodec, type NewEvent, UndecodableEvent, UnstorableEvent } from '../event-codec.js';
import { EventLog } from '../event-log.js';
import type { StoredEvent } from '../event-store.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { StreamNames } from '../stream-names.js';
import { changedStore } from '../testing/changed-store.js';
import { about, kib } from '../testing/large-events.js';
import { ERASED } from './encrypted-members.js';
import { KeyMissing, Keyring } from './keyring.js';

const MARKER = 'marker-of-content';

const codec = new EventCodec([
  {
    Said: {
      version: 1,
      members: {
        by: 'structure',
        text: 'content',
        sha256: 'derived',
        count: 'structure',
        parts: [{ id: 'structure', note: 'content' }],
        byName: { '*': { n: 'structure', note: 'content' } },
        any: 'content',
      },
    },
    Open: { version: 1 },
  },
]);

const data = {
  by: 'p',
  count: 7,
  text: MARKER,
  sha256: MARKER,
  parts: [{ id: 'a', note: { deep: [MARKER] } }, { id: 'b' }, { id: 'c', note: MARKER }],
  byName: { x: { n: 1, note: MARKER }, __own: { n: 2 } },
  any: { list: [MARKER, 1, null] },
  undeclared: { more: MARKER },
};

function said(given: object = data, metadata: object = {}, type = 'Said'): NewEvent {
  const command = { type: 'Say', besides: { reason: MARKER } };
  return {
    eventId: randomUUID(),
    event: { type, data: given },
    metadata: { ...about, commandFingerprint: MARKER, command, keyId: 'ann', ...metadata },
  };
}

function textOf(events: readonly StoredEvent[]): string {
  return events.map(({ data: text, metadata }) => text + metadata).join();
}

describe('events of a subject', () => {
  let keys: Map<string, Uint8Array | typeof ERASED>;
  let store: InMemoryEventStore;
  let lookUps: number;
  let log: EventLog;
  const opened = (of = store as typeof log.store, by = new Map(keys)) => {
    const find = (subject: string) => {
      lookUps += 1;
      return Promise.resolve(by.get(subject));
    };
    return new EventLog(of, codec, new StreamNames(''), undefined, new Keyring({ find }));
  };
  beforeEach(() => {
    lookUps = 0;
    keys = new Map([
      ['ann', randomBytes(32)],
      ['bob', randomBytes(32)],
    ]);
    store = new InMemoryEventStore();
    log = opened();
  });
  const stored = () => store.readAll({ limit: 100 });

  it('are stored without any content or what is derived of it, and read as they were given, in order', async () => {
    const { events } = await log.append('s', 'no-stream', [said(), said({ text: MARKER }, {}, 'Open')]);
    expect(textOf(await stored())).not.toContain(MARKER);
    const read = await opened().readStream('s');
    expect(jsonText(read[0]?.data)).toBe(jsonText(data));
    expect(read[0]?.metadata).toEqual(said().metadata);
    expect(jsonText(read)).toBe(
      jsonText(events.map((event, index) => ({ ...event, position: read[index]?.position }))),
    );
  });

  it('keep their structure in plain text', async () => {
    await log.append('s', 'no-stream', [said()]);
    const [event] = await stored();
    expect(JSON.parse(event?.data ?? '')).toMatchObject({
      by: 'p',
      count: 7,
      parts: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      byName: { x: { n: 1 }, __own: { n: 2 } },
    });
  });

  it('read as they were given, whatever they hold', async () => {
    const anyData = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(anyData, fc.constantFrom('Said', 'Open'), async (given, type) => {
        const stream = randomUUID();
        await log.append(stream, 'no-stream', [said(given, {}, type)]);
        const [read] = await opened().readStream(stream);
        expect(jsonText(read?.data)).toBe(jsonText(given));
        // The process that has written them reads them from memory.
        expect(jsonText(await log.readStream(stream))).toBe(jsonText([read]));
      }),
      { numRuns: 50 },
    );
  });

  it('are encrypted before large values are cut out of them, and a repeat finds its blobs', async () => {
    const large = said({ text: kib(400, 'm'), any: { list: [kib(300, 'm')] } });
    await log.append('s', 'no-stream', [large]);
    const [event] = await stored();
    const blobs = codec.blobsOf(event as StoredEvent);
    expect(blobs.map(({ pointer }) => pointer).toSorted()).toEqual(['/data/any', '/data/text']);
    for (const { sha256 } of blobs) expect(await log.blobText(sha256)).not.toContain('mmmmmmmm');
    const [read] = await opened().readStream('s');
    expect(jsonText(read?.data)).toBe(jsonText(large.event.data));
    const refuse = () => Promise.reject(new Error('nothing is written'));
    const append: InMemoryEventStore['append'] = (stream, ...more) =>
      stream.startsWith('blob-') ? store.append(stream, ...more) : refuse();
    const before = await store.head();
    await expect(opened(changedStore(store, { append })).append('s', 'no-stream', [large])).rejects.toThrow(
      'nothing is written',
    );
    await store.append('other', 'no-stream', [
      { eventId: randomUUID(), type: 'Open', data: '{}', metadata: '{}' },
    ]);
    // No new blob has a position between the two.
    const [next] = await store.readAll({ limit: 1, ...(before && { from: before }) });
    expect(next?.stream).toBe('other');
  });

  it.each(['stream', 'eventId', 'pointer', 'key'] as const)('do not open at another %s', async (other) => {
    await log.append('s', 'no-stream', [said({ text: MARKER, sha256: 'x' })]);
    const [event] = (await stored()) as [StoredEvent];
    const { text, sha256 } = JSON.parse(event.data) as Record<string, string>;
    const moved = {
      stream: { ...event, stream: 'other' },
      eventId: { ...event, eventId: randomUUID() },
      pointer: { ...event, data: jsonText({ text: sha256, sha256: text }) },
      key: { ...event, metadata: event.metadata.replace('"keyId":"ann"', '"keyId":"bob"') },
    }[other];
    await expect(log.decode(moved)).rejects.toThrow(UndecodableEvent);
    expect(await log.decode(event)).toMatchObject({ data: { text: MARKER } });
  });

  it('cannot be read or written without their key, while all others can', async () => {
    await log.append('s', 'no-stream', [said()]);
    await log.append('other', 'no-stream', [said(data, { keyId: undefined })]);
    const without = opened(store, new Map());
    await expect(without.readStream('s')).rejects.toThrow(KeyMissing);
    await expect(without.readStream('s')).rejects.toMatchObject({
      answer: { status: 503, code: 'key-missing' },
    });
    await expect(without.append('new', 'no-stream', [said()])).rejects.toThrow(KeyMissing);
    expect(await without.readStream('other')).toHaveLength(1);
    expect(await store.readStream('new')).toEqual([]);
  });

  it('read [erased] and without other content once the subject is erased, and new ones are recorded without it', async () => {
    await log.append('s', 'no-stream', [said()]);
    const erased = opened(store, new Map([['ann', ERASED]]));
    await erased.append('s', 0, [said()]);
    expect(textOf(await stored())).not.toContain(MARKER);
    const read = await erased.readStream('s');
    expect(read).toHaveLength(2);
    for (const event of [...read, ...(await opened(store, new Map([['ann', ERASED]])).readStream('s'))]) {
      expect(event.data).toEqual({
        by: 'p',
        count: 7,
        text: '[erased]',
        sha256: '[erased]',
        parts: [{ id: 'a' }, { id: 'b' }, { id: 'c', note: '[erased]' }],
        byName: { x: { n: 1, note: '[erased]' }, __own: { n: 2 } },
      });
      expect(event.metadata).toMatchObject({ keyId: 'ann', command: { type: 'Say' } });
      expect(jsonText(event)).not.toContain('encoding');
    }
  });

  it('that another process has written without the key are read, although this one still has it', async () => {
    const kept = new Map(keys);
    const own = opened(store, kept);
    await own.append('s', 'no-stream', [said()]);
    kept.set('ann', ERASED);
    await opened(store, kept).append('s', 0, [said()]);
    const texts = (await own.readStream<NewEvent['event']>('s')).map(({ data: read }) => read);
    expect(texts).toMatchObject([{ text: '[erased]' }, { text: '[erased]' }]);
  });

  it('are refused without the subject of their stream, also of one that is not in memory: they would be stored in plain text', async () => {
    await log.append('s', 'no-stream', [said()]);
    await log.load('s');
    for (const keyId of [undefined, 'bob'])
      for (const one of [log, opened()])
        await expect(one.append('s', 0, [said(data, { keyId })])).rejects.toThrow(UnstorableEvent);
    const anew = log.append('s', 'no-stream', [said(data, { keyId: undefined })]);
    await expect(anew).rejects.toThrow(RevisionConflict);
    expect(await stored()).toHaveLength(1);
  });

  it('are looked up once for many, and events without a subject not at all', async () => {
    const none = Array.from({ length: 5 }, () => said(data, { keyId: undefined }));
    await log.append('plain', 'no-stream', none);
    await log.readStream('plain');
    expect(lookUps).toBe(0);
    await Promise.all(['a', 'b', 'c'].map((stream) => log.append(stream, 'no-stream', [said(), said()])));
    await log.readStream('a');
    expect(lookUps).toBe(1);
  });
});
