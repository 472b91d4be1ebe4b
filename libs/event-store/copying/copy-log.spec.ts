import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore, EventToStore } from '../event-store.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { StreamNames } from '../stream-names.js';
import { changedStore } from '../testing/changed-store.js';
import { compareLogs } from './compare-logs.js';
import { copyLog } from './copy-log.js';
import { CopyRefused } from './append-copies.js';

const names = new StreamNames();
const SESSION = 'redial_session-1';

function event(data: object = {}, metadata: object = { by: 'test' }): EventToStore {
  return {
    eventId: randomUUID(),
    type: 'ThingHappened',
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  };
}

/** An event that refers to these bodies. */
const referring = (...hashes: readonly string[]) =>
  event({}, { encoding: { blobs: hashes.map((sha256) => ({ pointer: '/data/a', sha256, bytes: 1 })) } });

async function fill(store: EventStore, stream: string, ...events: readonly EventToStore[]): Promise<void> {
  const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
  await store.append(stream, last?.revision ?? 'no-stream', events);
}

let source: InMemoryEventStore;
let target: InMemoryEventStore;
beforeEach(() => {
  source = new InMemoryEventStore();
  target = new InMemoryEventStore();
});

const copy = async () => copyLog({ source, target, names, until: await source.head() });
const compare = async () => compareLogs({ source, target, names, until: await source.head() });

/** The streams, revisions and ids in log order. */
async function contents(store: EventStore) {
  const log = await store.readAll({ limit: 100_000 });
  return log.map(({ stream, revision, eventId }) => [stream, revision, eventId]);
}

/** Fills several streams, in turn. */
async function fillSource(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await fill(source, SESSION, event({ round }), event());
    await fill(source, `redial_solicitation-${round}`, event());
    await fill(source, 'redial_machine-a-b', event({ text: 'ü "x"\n' }));
  }
}

describe('copying a log', () => {
  it('gives the target the same streams, revisions, ids and texts in the same order', async () => {
    await fillSource(100);
    expect(await copy()).toBe(400);
    expect(await contents(target)).toEqual(await contents(source));
    const comparison = await compare();
    expect(comparison).toEqual({ events: 400, streams: 102, blobs: 0, sha256: expect.any(String) });
  });

  it('continues an interrupted copy from any event', async () => {
    await fillSource(3);
    const whole = await source.readAll({ limit: 100 });
    for (const stored of whole) {
      await copyLog({ source, target, names, until: stored.position });
      expect(await contents(target)).toEqual((await contents(source)).slice(0, whole.indexOf(stored) + 1));
    }
    expect(await copy()).toBe(0);
    await fill(source, SESSION, event());
    expect(await copy()).toBe(1);
  });

  it('leaves out what comes after `until`, and compares no further', async () => {
    await fillSource(2);
    const until = await source.head();
    await fillSource(1);
    expect(await copyLog({ source, target, names, until })).toBe(8);
    expect(await compareLogs({ source, target, names, until })).toMatchObject({ events: 8 });
    expect((await compare()).difference).toMatchObject({ what: 'missing in the target' });
  });

  it('copies an empty log, and finds it equal', async () => {
    expect(await copy()).toBe(0);
    expect(await compare()).toMatchObject({ events: 0, streams: 0 });
  });

  it('copies one prefix alone, and beside what has another', async () => {
    await fillSource(1);
    await fill(source, 'other_session-1', event());
    await fill(target, 'others_session-1', event(), event());
    expect(await copy()).toBe(4);
    expect(await copy()).toBe(0);
    expect((await target.readAll({ limit: 100 })).map(({ stream }) => stream)).not.toContain(
      'other_session-1',
    );
    expect((await compare()).difference).toBeUndefined();
  });

  it('does not copy the claim of a log', async () => {
    await fill(source, 'redial_log-claims', event());
    await fillSource(1);
    await fill(target, 'redial_log-claims', event(), event());
    expect(await copy()).toBe(4);
    expect((await compare()).difference).toBeUndefined();
    expect(await target.readStream('redial_log-claims')).toHaveLength(2);
  });

  it('lets two copies of one log into one target run at once', async () => {
    await fillSource(80);
    const until = await source.head();
    const copies = [1, 2, 3].map(() => copyLog({ source, target, names, until }));
    await Promise.all(copies);
    expect(await contents(target)).toEqual(await contents(source));
  });

  it('continues in the middle of a batch', async () => {
    const events = [event(), event(), event()];
    await fill(source, SESSION, ...events);
    const head = { readAll: async () => [] };
    await fill(target, SESSION, ...events.slice(0, 2));
    // As another copy that has just looked, and found no event yet.
    const late = new Proxy(target, { get: (store, name) => Reflect.get(changedStore(store, head), name) });
    await copyLog({ source, target: late, names, until: await source.head() });
    expect(await contents(target)).toEqual(await contents(source));
  });

  it('appends events of one stream together only as far as an append may be large', async () => {
    const text = 'x'.repeat(450_000);
    await fill(source, SESSION, event({ text }));
    await fill(source, SESSION, event({ text }));
    await fill(source, SESSION, event({ text }), event(), event());
    const sizes: number[] = [];
    const append = (async (stream, expected, events) => {
      sizes.push(events.length);
      return target.append(stream, expected, events);
    }) satisfies EventStore['append'];
    await copyLog({ source, target: changedStore(target, { append }), names, until: await source.head() });
    expect(sizes).toEqual([2, 3]);
  });

  it('says how far it is', async () => {
    await fillSource(100);
    const positions: number[] = [];
    const onProgress = (events: number) => positions.push(events);
    await copyLog({ source, target, names, until: await source.head(), onProgress });
    expect(positions).toEqual([128, 256, 384, 400]);
  });
});

describe('large bodies', () => {
  const blob = (hash: string) => `redial_blob-${hash}`;

  beforeEach(async () => {
    await fill(source, blob('aa'), event({ chunk: 1 }), event({ chunk: 2 }));
    await fill(source, blob('bb'), event({ chunk: 3 }));
    await fill(source, blob('unused'), event({ chunk: 4 }));
    await fill(source, SESSION, referring('aa', 'bb'), referring('aa'), event());
  });

  it('are copied before the event that refers to them, and those that no event refers to are not', async () => {
    const order: string[] = [];
    const append = (async (stream, expected, events) => {
      order.push(stream);
      return target.append(stream, expected, events);
    }) satisfies EventStore['append'];
    await copyLog({ source, target: changedStore(target, { append }), names, until: await source.head() });
    expect(order).toEqual([blob('aa'), blob('bb'), SESSION]);
    expect(await target.readStream(blob('aa'))).toMatchObject([
      { data: '{"chunk":1}' },
      { data: '{"chunk":2}' },
    ]);
    const comparison = await compare();
    expect(comparison).toMatchObject({ events: 3, streams: 1, blobs: 2 });
    expect(comparison).not.toHaveProperty('difference');
  });

  it('that are changed or cut off in the target are found', async () => {
    await copy();
    const shortened = changedStore(target, {
      readStream: async (stream: string) => (await target.readStream(stream)).slice(0, 1),
    });
    const { difference } = await compareLogs({
      source,
      target: shortened,
      names,
      until: await source.head(),
    });
    expect(difference).toEqual({ stream: blob('aa'), revision: 1, what: 'missing in the target' });
    await fill(target, blob('bb'), event());
    expect((await compare()).difference).toMatchObject({ stream: blob('bb'), what: 'only in the target' });
  });

  it('are part of the hash', async () => {
    await copy();
    const { sha256 } = await compare();
    source = new InMemoryEventStore();
    for (const stream of [blob('aa'), blob('bb'), SESSION]) {
      const stored = await target.readStream(stream);
      await fill(source, stream, ...stored.map((one) => ({ ...one, data: one.data.replace('3', '4') })));
    }
    target = new InMemoryEventStore();
    await copy();
    expect((await compare()).sha256).not.toBe(sha256);
  });
});

describe('a target that is not for this copy', () => {
  it('refuses a target whose last event differs from the source, and leaves it unchanged', async () => {
    await fillSource(1);
    await fill(target, SESSION, event());
    const before = await contents(target);
    await expect(copy()).rejects.toThrow(
      /^\[CopyRefused\] cannot copy over redial_session-1 revision 0 of the target: it is not the event .*another file, or another server/,
    );
    expect(await contents(target)).toEqual(before);
  });

  it('is refused when it was written to after the copy', async () => {
    await fillSource(1);
    await copy();
    await fill(target, SESSION, event());
    await expect(copy()).rejects.toThrow(/revision 2 of the target: the source has no such event/);
  });

  it('is refused when a stream of the copy has other events', async () => {
    await fillSource(1);
    const [first, ...others] = await source.readAll({ limit: 100 });
    await fill(target, SESSION, event(), event(), event());
    await fill(target, first?.stream ?? '', event());
    await fill(target, 'redial_machine-a-b', others.at(-1) ?? event());
    await expect(copy()).resolves.toBe(0);
    expect((await compare()).difference).toMatchObject({ stream: SESSION, revision: 0, what: 'eventId' });
    await fill(source, SESSION, event());
    await expect(copy()).rejects.toThrow(CopyRefused);
  });

  it('is refused when it is the source, or a backup of it', async () => {
    target = new InMemoryEventStore(source.logId);
    await expect(copy()).rejects.toThrow(/^\[CopyRefused\] .* the same log, or one is a backup/);
  });
});

describe('comparing a log with its copy', () => {
  it.each(['type', 'data', 'metadata', 'eventId'] as const)('finds a changed %s', async (what) => {
    await fillSource(2);
    const wrong = (await source.readAll({ limit: 100 })).map((stored) =>
      stored.stream === SESSION && stored.revision === 2 ? { ...stored, [what]: '{"changed":1}' } : stored,
    );
    for (const stored of wrong) await fill(target, stored.stream, stored);
    const { events, difference } = await compare();
    expect([events, difference]).toEqual([4, { stream: SESSION, revision: 2, what }]);
  });

  it('0.2-X4: finds nothing where another copy goes further, while the log grows', async () => {
    await fillSource(2);
    const until = await source.head();
    await fillSource(50);
    await copy();
    await fillSource(1);
    expect(await compareLogs({ source, target, names, until })).toMatchObject({ events: 8 });
    expect((await compareLogs({ source, target, names, until })).difference).toBeUndefined();
    await fill(target, SESSION, event());
    expect((await compareLogs({ source, target, names, until })).difference).toMatchObject({
      what: 'only in the target',
    });
  });

  it('finds what is missing in the target, what is only there, and another order', async () => {
    await fillSource(1);
    await copy();
    await fill(target, 'redial_session-9', event());
    expect((await compare()).difference).toEqual({
      stream: 'redial_session-9',
      revision: 0,
      what: 'only in the target',
    });
    target = new InMemoryEventStore();
    for (const stored of (await source.readAll({ limit: 100 }))
      .toReversed()
      .toSorted((a, b) => a.revision - b.revision)) {
      await fill(target, stored.stream, stored);
    }
    expect((await compare()).difference).toMatchObject({ stream: SESSION, what: 'event' });
  });
});
