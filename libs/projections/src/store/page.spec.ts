import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isRejection } from '#lib/kernel';

import { numberInKey, pageOf, type PageRequest, placeAfterKey, writeCursor } from './page.js';

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
});
