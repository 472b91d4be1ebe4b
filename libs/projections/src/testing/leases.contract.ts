import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '#lib/kernel';
import type { Leases } from '#lib/workflow';

/** Two parties that share leases and a clock. */
export interface LeasesSubject {
  readonly leases: Leases;
  readonly others: Leases;
  readonly cleanup: () => Promise<void>;
}

/** What every adapter of leases guarantees. `open` gives fresh leases for each test, on the clock it is given. */
export function describeLeasesContract(name: string, open: (clock: Clock) => Promise<LeasesSubject>): void {
  describe(`leases contract: ${name}`, () => {
    let subject: LeasesSubject;
    let now: number;
    beforeEach(async () => {
      now = Date.UTC(2026, 0, 1);
      subject = await open({ now: () => new Date(now) });
    });
    afterEach(() => subject.cleanup());

    it('gives a lease to one owner only', async () => {
      expect(await subject.leases.acquire('work', 'a', 1000)).toBe(true);
      expect(await subject.others.acquire('work', 'b', 1000)).toBe(false);
      expect(await subject.others.acquire('other work', 'b', 1000)).toBe(true);
    });

    it('gives a lease that many want at once to one of them', async () => {
      const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
      const won = await Promise.all(
        owners.map((owner, n) => (n % 2 ? subject.leases : subject.others).acquire('work', owner, 1000)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    it('lets the owner renew, from the time of renewal on', async () => {
      await subject.leases.acquire('work', 'a', 1000);
      now += 900;
      expect(await subject.leases.acquire('work', 'a', 1000)).toBe(true);
      now += 900;
      expect(await subject.others.acquire('work', 'b', 1000)).toBe(false);
    });

    it('gives an expired lease to somebody else, and not back', async () => {
      await subject.leases.acquire('work', 'a', 1000);
      now += 1000;
      expect(await subject.others.acquire('work', 'b', 1000)).toBe(true);
      expect(await subject.leases.acquire('work', 'a', 1000)).toBe(false);
    });

    it('gives a released lease to the next at once', async () => {
      await subject.leases.acquire('work', 'a', 1000);
      await subject.leases.release('work', 'a');
      expect(await subject.others.acquire('work', 'b', 1000)).toBe(true);
    });

    it('releases nothing for who does not hold it', async () => {
      await subject.leases.acquire('work', 'a', 1000);
      await subject.others.release('work', 'b');
      await subject.others.release('never taken', 'b');
      expect(await subject.others.acquire('work', 'b', 1000)).toBe(false);
    });
  });
}
