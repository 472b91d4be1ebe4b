import { describe, expect, it } from '@jest/globals';
import { randomIds } from '#lib/kernel';
import { logKey } from '../keys/log-key.js';
import { leaseStoreId } from '../leases/stored-leases.js';
import type { ReadStore } from '../store/read-store.js';

const madeOnce: readonly (readonly [string, (store: ReadStore) => Promise<string>])[] = [
  ['the id of a read store', (store) => leaseStoreId(store, randomIds)],
  ['the key of a log in a store', (store) => logKey(store, 'log', () => randomIds.next())],
];

/** @param place a new, empty place: opens it as often as it is called */
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

  it(`the key of a log on ${name} is another one for another log`, async () => {
    const store = await (await place())();
    const keys = await Promise.all(['one', 'other'].map((id) => logKey(store, id, () => `key of ${id}`)));
    expect(keys).toEqual(['key of one', 'key of other']);
    await store.close();
  });
}
