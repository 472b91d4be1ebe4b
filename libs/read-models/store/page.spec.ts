import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { answerReaders } from '#lib/event-store';
import { isRejection, type Rejection } from '#lib/kernel';
import {
  MOST_PAGE_BYTES,
  numberInKey,
  type Page,
  pageOf,
  pageOfList,
  type PageRequest,
  placeAfterKey,
  writeCursor,
} from './page.js';

function numbers(count: number, request: PageRequest) {
  const all = Array.from({ length: count }, (_, n) => String(n).padStart(5, '0'));
  return pageOf(request, {
    list: 'numbers',
    read: async (after = '', limit) => all.filter((key) => key > after).slice(0, limit),
    keyOf: (key) => key,
    toItems: (keys) => keys.map(Number),
  });
}

describe('a page', () => {
  it('has 50 items when no limit is given, and the way to the next', async () => {
    const first = await numbers(51, {});
    expect(first).toMatchObject({ items: { length: 50 }, nextCursor: expect.any(String) });
    if (isRejection(first)) return;
    expect(await numbers(51, { cursor: first.nextCursor ?? '' })).toEqual({ items: [50], nextCursor: null });
  });

  it('that is exactly full is the last one', async () => {
    expect(await numbers(2, { limit: 2 })).toEqual({ items: [0, 1], nextCursor: null });
  });

  it('after page gives every item once, in order', async () => {
    const sizes = fc.tuple(fc.nat({ max: 40 }), fc.integer({ min: 1, max: 10 }));
    await fc.assert(
      fc.asyncProperty(sizes, async ([count, limit]) => {
        const seen: number[] = [];
        let cursor: string | null | undefined;
        do {
          const page = await numbers(count, { limit, ...(cursor && { cursor }) });
          if (isRejection(page)) throw new Error(page.message);
          seen.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(Array.from({ length: count }, (_, n) => n));
      }),
    );
  });

  it.each([0, 501, 1.5, Number.NaN, -1])('of %p items is refused', async (limit) => {
    expect(await numbers(1, { limit })).toMatchObject({ rejected: 'malformed', code: 'invalid-limit' });
  });

  it.each(['', 'nonsense', '%%%', Buffer.from('[1,2]').toString('base64url'), writeCursor('others', 'a')])(
    'after the cursor %p is refused',
    async (cursor) => {
      expect(await numbers(1, { cursor })).toMatchObject({ rejected: 'malformed', code: 'invalid-cursor' });
    },
  );

  it.each<[string, (key: string) => number]>([
    ['', numberInKey],
    ['log.000017', numberInKey],
    ['1e3', numberInKey],
    ['99999999999999999999', numberInKey],
    ['c', (key) => placeAfterKey(['a', 'b'], key)],
  ])('after a key of no place, such as %p of an earlier version, is refused', async (key, placeOf) => {
    const cursor = writeCursor('keys', key);
    const read = async (after = '') => [placeOf(after)];
    const list = { list: 'keys', read, keyOf: String, toItems: (rows: readonly number[]) => rows };
    expect(await pageOf({ cursor }, list)).toMatchObject({ rejected: 'malformed', code: 'invalid-cursor' });
  });

  it('0.2-S3: ends at 4 MiB with at least one item, has the way to the rest, and reads no item after that', async () => {
    const sizes = fc.array(fc.constantFrom(10, 1_000_000, 3_000_000, 5_000_000), { maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 8 }), async (all, limit) => {
        const seen: string[] = [];
        let made = 0;
        for (let cursor: string | null | undefined; cursor !== null;) {
          const page: Page<string> | Rejection = await pageOfList(
            { limit, ...(cursor !== undefined && { cursor }) },
            'texts',
            all,
            function* (shown) {
              for (const size of shown) {
                made++;
                yield 'x'.repeat(size);
              }
            },
          );
          if (isRejection(page)) throw new Error(page.message);
          const bytes = page.items.reduce((sum, { length }) => sum + length + 2, 0);
          expect(page.items.length === 1 || bytes <= MOST_PAGE_BYTES).toBe(true);
          expect(page.items.length > 0 || all.length === 0).toBe(true);
          expect(made).toBeLessThanOrEqual(page.items.length + 1);
          made = 0;
          seen.push(...page.items);
          cursor = page.nextCursor;
        }
        expect(seen.map(({ length }) => length)).toEqual(all);
      }),
      { numRuns: 30 },
    );
  });

  it('0.2-S3: gives back what it read unless a reader above holds it', async () => {
    const large = ['x'.repeat(1_000_000)];
    const before = answerReaders.held;
    await pageOfList({}, 'texts', large);
    expect(answerReaders.held).toBe(before);
    const reading = answerReaders.open();
    await reading.run(() => pageOfList({}, 'texts', large));
    expect(reading.held).toBe(1_000_002);
    reading.close();
  });
});
