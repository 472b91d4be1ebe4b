import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
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
      const page = { direction, limit: limit ?? 700 };
      expect(await past.readAll(page)).toEqual(await before.readAll(page));
    });
    await fc.assert(isWhatWasThere, { numRuns: 40 });
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
