import { describe, expect, it } from '@jest/globals';
import { randomIds } from '#lib/kernel';
import { leaseStoreId } from '../leases/stored-leases.js';
import type { ReadStore } from '../store/read-store.js';

/** @param place a new, empty place: opens it as often as it is called */
export function describeLeaseStoreId(name: string, place: () => Promise<() => Promise<ReadStore>>): void {
  describe(`the id of a read store on ${name}`, () => {
    async function idBy(open: () => Promise<ReadStore>): Promise<string> {
      const store = await open();
      const id = await leaseStoreId(store, randomIds);
      await store.close();
      return id;
    }

    it('is the same for everybody and at every time, also for those who ask first at the same moment', async () => {
      const open = await place();
      const ids = await Promise.all([1, 2, 3, 4].map(() => idBy(open)));
      expect(new Set([...ids, await idBy(open)]).size).toBe(1);
    });

    it('is another one for another store', async () => {
      const ids = [await idBy(await place()), await idBy(await place())];
      expect(new Set(ids).size).toBe(2);
    });
  });
}
