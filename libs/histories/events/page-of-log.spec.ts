import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { EventCodec, EventLog, InMemoryEventStore, type ReadAllOptions, StreamNames } from '#lib/event-store';
import { isRejection, randomIds } from '#lib/kernel';
import type { Page } from '#lib/read-models';
import { pageOfLog } from './page-of-log.js';

let store: InMemoryEventStore;
let log: EventLog;
let lookedAt: number;

beforeEach(() => {
  store = new InMemoryEventStore('log');
  lookedAt = 0;
  const counting = Object.assign(Object.create(store) as InMemoryEventStore, {
    readAll: async (options: ReadAllOptions) => {
      const found = await store.readAll(options);
      lookedAt += found.length;
      return found;
    },
  });
  log = new EventLog(counting, new EventCodec([]), new StreamNames(''));
});

const event = (type: string, data = '{}') => ({ eventId: randomIds.next(), type, data, metadata: '{}' });

/** One page: the type and the revision of each event. */
async function read(types: readonly string[] | undefined, limit: number, cursor?: string) {
  const request = { limit, ...(cursor !== undefined && { cursor }) };
  const which = { types: types && new Set(types), from: undefined };
  const page = await pageOfLog(log, which, request, ({ type, revision }) => `${type}${revision}`);
  if (isRejection(page)) throw new Error(page.message);
  return page;
}

describe('a page of the log', () => {
  it('and those after it give every event of the types once, in the order of the log', async () => {
    const types = fc.constantFrom<string>('A', 'B', 'C');
    const any = fc.record({
      log: fc.array(types, { maxLength: 200 }),
      asked: fc.option(fc.uniqueArray(types, { minLength: 1 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 70 }),
    });
    let streams = 0;
    const isWhole = fc.asyncProperty(any, async ({ log: recorded, asked, limit }) => {
      if (recorded.length > 0)
        await store.append(
          `s-${streams++}`,
          'no-stream',
          recorded.map((type) => event(type)),
        );
      const all = (await store.readAll({ limit: 1_000_000 })).filter(
        ({ type }) => asked?.includes(type) ?? true,
      );
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Page<string> = await read(asked, limit, cursor);
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(found).toEqual(all.map(({ type, revision }) => `${type}${revision}`));
    });
    await fc.assert(isWhole, { numRuns: 40 });
  });

  it('looks through 10,000 events at most: of a rare type it may have none, and the next page goes on', async () => {
    for (let n = 0; n < 25; n++)
      await store.append(
        's-1',
        'any',
        Array.from({ length: 1_000 }, () => event('A')),
      );
    await store.append('s-1', 'any', [event('B')]);
    const pages: (readonly string[])[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      lookedAt = 0;
      const page: Page<string> = await read(['B'], 50, cursor);
      expect(lookedAt).toBeLessThan(10_000 + 128);
      pages.push(page.items);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[], [], ['B25000']]);
  });

  it('looks through 32 MiB at most', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(250_000) });
    for (let n = 0; n < 100; n++)
      await store.append(
        's-1',
        'any',
        Array.from({ length: 3 }, () => event('A', large)),
      );
    const { items, nextCursor } = await read(['B'], 50);
    expect({ items, isEnd: nextCursor === null }).toEqual({ items: [], isEnd: false });
    // Each page rereads the events that the page before had no room for.
    expect(lookedAt).toBeLessThan(200);
  });
});
