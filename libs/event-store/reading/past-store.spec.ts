import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ReadAllOptions } from '../event-store.js';
import { InMemoryEventStore } from '../in-memory-event-store.js';
import { PastStore } from './past-store.js';

let store: InMemoryEventStore;

const event = (index: number) => ({
  eventId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  type: 'Noted',
  data: '{}',
  metadata: '{}',
});

describe('a store as it was', () => {
  beforeEach(() => {
    store = new InMemoryEventStore('log');
  });

  it('gives of the log, and of each stream in both directions, what is not after the position', async () => {
    const streams = ['a-1', 'a-2', 'a-3'];
    for (let index = 0; index < 600; index++)
      await store.append(streams[index % 7 === 0 ? 1 : 0] ?? '', 'any', [event(index)]);
    const all = await store.readAll({ limit: 1000 });
    const anywhere = fc.record({
      cut: fc.nat(all.length - 1),
      stream: fc.constantFrom(...streams),
      direction: fc.constantFrom('forwards' as const, 'backwards' as const),
      from: fc.option(fc.nat(650), { nil: undefined }),
      limit: fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined }),
    });
    const isWhatWasThere = fc.asyncProperty(anywhere, async ({ cut, stream, direction, from, limit }) => {
      const until = all.slice(0, cut + 1);
      const past = new PastStore(store, all[cut]?.position ?? ('' as never));
      const before = new InMemoryEventStore('log');
      for (const { stream: name, ...one } of until) await before.append(name, 'any', [stored(one)]);
      const options = {
        direction,
        ...(from !== undefined && { from }),
        ...(limit !== undefined && { limit }),
      };
      expect(await past.readStream(stream, options)).toEqual(await before.readStream(stream, options));
      expect(await past.head()).toBe(await before.head());
      const place = from === undefined ? undefined : all[from]?.position;
      const page = { direction, limit: limit ?? 700, ...(place !== undefined && { from: place }) };
      const isEarlier = ({ position }: { position: string }) =>
        place === undefined || (direction === 'forwards' ? position > place : position < place);
      const whole = until.filter(isEarlier);
      const expected = direction === 'forwards' ? whole : whole.toReversed();
      expect(await past.readAll(page)).toEqual(expected.slice(0, page.limit));
    });
    await fc.assert(isWhatWasThere, { numRuns: 40 });
  });

  it('finds its end, and the page before that, by as many reads however long the log has become', async () => {
    for (let index = 0; index < 300; index++) await store.append('a-1', 'any', [event(index)]);
    const all = await store.readAll({ limit: 300 });
    for (const cut of [0, 7, 298]) {
      const reads: number[] = [];
      const counting = Object.assign(Object.create(store) as InMemoryEventStore, {
        readAll: async (options: ReadAllOptions) => {
          reads.push(options.limit);
          return store.readAll(options);
        },
      });
      const past = new PastStore(counting, all[cut]?.position ?? ('' as never));
      expect(await past.head()).toBe(all[cut]?.position);
      expect(reads).toEqual([1, 1]);
      await past.readAll({ direction: 'backwards', limit: 5 });
      expect(reads.slice(2)).toEqual([1, 1, 4]);
    }
  });

  it('takes no appends, and its subscription ends', async () => {
    const { position } = await store.append('a-1', 'any', [event(1)]);
    await store.append('a-1', 'any', [event(2)]);
    const past = new PastStore(store, position);
    await expect(past.append()).rejects.toThrow('InvalidAppend');
    const batches = [];
    for await (const batch of past.subscribe(undefined, new AbortController().signal))
      batches.push(batch.length);
    expect(batches).toEqual([1, 0]);
  });
});

function stored({ eventId, type, data, metadata }: ReturnType<typeof event>) {
  return { eventId, type, data, metadata };
}
