import { expect, it } from '@jest/globals';
import { EndlessList } from '../error-classes.js';
import { everyItem } from './every-item.js';

it('reads a list to its end, or as many items as are asked for', async () => {
  const list = async ({ cursor = '0', limit = 2 }: { cursor?: string; limit?: number }) => {
    const at = Number(cursor);
    return { items: [at, at + 1].slice(0, limit), nextCursor: at < 6 ? String(at + 2) : null };
  };
  expect(await everyItem(list)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await everyItem(list, 3)).toEqual([0, 1, 2]);
});

it.each([
  ['the same cursor', () => 'again'],
  ['two cursors in turn', (asked: number) => String(asked % 2)],
  ['another cursor for ever', String],
])('ends with an error if a server gives %s', async (_, cursorAfter) => {
  let asked = 0;
  const list = async () => ({ items: [], nextCursor: cursorAfter((asked += 1)) });
  await expect(everyItem(list)).rejects.toThrow(EndlessList);
});
