import { describe, expect, it } from '@jest/globals';
import { randomIds } from '#lib/kernel';
import { logKeys } from '../keys/log-key.js';
import { leaseStoreId } from '../leases/stored-leases.js';
import type { ReadStore } from '../store/read-store.js';

const madeOnce: readonly (readonly [string, (store: ReadStore) => Promise<string>])[] = [
  ['the id of a read store', (store) => leaseStoreId(store, randomIds)],
  ['the key of a log in a store', async (store) => (await logKeys(store, 'log', () => randomIds.next())).key],
];

/** @param place makes a new, empty place, and gives a function that opens it any number of times */
export function describeMadeOnce(name: string, place: () => Promise<() => Promise<ReadStore>>): void {
  describe.each(madeOnce)(`%s on ${name}`, (_, made) => {
    async function madeBy(open: () => Promise<ReadStore>): Promise<string> {
      const store = await open();
      const value = await made(store);
      await store.close();
      return value;
    }

    it('is the same for everybody and at every time, also for those who ask first at the same moment', async () => {
      const open = await place();
      const values = await Promise.all([1, 2, 3, 4].map(() => madeBy(open)));
      expect(new Set([...values, await madeBy(open)]).size).toBe(1);
    });

    it('is another one for another store', async () => {
      const values = [await madeBy(await place()), await madeBy(await place())];
      expect(new Set(values).size).toBe(2);
    });
  });

  it(`the key of a log on ${name} is another one for another log, which knows the first one's`, async () => {
    const store = await (await place())();
    expect(await logKeys(store, 'one', () => 'key of one')).toEqual({ key: 'key of one', others: [] });
    const second = { key: 'key of other', others: ['key of one'] };
    expect(await logKeys(store, 'other', () => second.key)).toEqual(second);
    expect(await logKeys(store, 'other', () => 'another')).toEqual(second);
    await store.close();
  });
}
