import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, jsonText } from '#lib/kernel';
import { MOST_CHARACTERS, shortened } from './short-answer.js';

const values = fc.jsonValue({ maxDepth: 14, depthSize: 'large' });

it('an answer is no longer than its budget, and one that fits is unchanged', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 200, max: 2_000 }), (value, budget) => {
      const short = shortened(value, budget);
      expect(jsonText(short).length).toBeLessThanOrEqual(budget);
      expect(jsonText(value).length > budget || short === value).toBe(true);
    }),
  );
});

it('the members of a long answer that are small stay whole, and what is cut says how much is left', () => {
  const answer = { sessionId: 's1', status: 'done', metaJson: { photo: 'x'.repeat(700_000) }, proposals: [] };
  const short = shortened(answer) as typeof answer;
  expect(short).toMatchObject({ sessionId: 's1', status: 'done', proposals: [] });
  expect(short.metaJson.photo).toMatch(/^x{39000}x*… 66\d{4} more characters$/);
});

it('a page keeps its items and its cursor', () => {
  const items = Array.from({ length: 50 }, (_, revision) => ({
    revision,
    data: { text: 'é"\n'.repeat(9_000) },
  }));
  const short = shortened({ items, nextCursor: 'c' }) as { items: readonly object[]; nextCursor: string };
  expect(short.items.map((item) => isJsonObject(item) && item['revision'])).toEqual([...items.keys()]);
  expect(short.nextCursor).toBe('c');
  expect(jsonText(short).length).toBeGreaterThan(MOST_CHARACTERS / 4);
});
