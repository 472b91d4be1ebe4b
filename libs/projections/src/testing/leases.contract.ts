import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Leases } from '#lib/legacy-workflow';

/** Two parties that share leases. */
export interface LeasesSubject {
  readonly leases: Leases;
  readonly others: Leases;
  /** Lets time pass for both. */
  readonly pass: (milliseconds: number) => Promise<void> | void;
  readonly cleanup: () => Promise<void>;
}

/** So long that a test that stumbles does not outlast it. */
const TTL_MS = 1_000_000;

/** What every adapter of leases guarantees. `open` gives fresh leases for each test. */
export function describeLeasesContract(name: string, open: () => Promise<LeasesSubject>): void {
  describe(`leases contract: ${name}`, () => {
    let subject: LeasesSubject;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(() => subject.cleanup());

    it('gives a lease to one owner only', async () => {
      expect(await subject.leases.acquire('work', 'a', TTL_MS)).toBe(true);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBe(false);
      expect(await subject.others.acquire('other work', 'b', TTL_MS)).toBe(true);
    });

    it('gives a lease that many want at once to one of them', async () => {
      const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
      const won = await Promise.all(
        owners.map((owner, n) => (n % 2 ? subject.leases : subject.others).acquire('work', owner, TTL_MS)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    it('lets the owner renew, from the time of renewal on', async () => {
      await subject.leases.acquire('work', 'a', TTL_MS);
      await subject.pass(0.9 * TTL_MS);
      expect(await subject.leases.acquire('work', 'a', TTL_MS)).toBe(true);
      await subject.pass(0.9 * TTL_MS);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBe(false);
    });

    it('gives an expired lease to somebody else, and not back', async () => {
      await subject.leases.acquire('work', 'a', TTL_MS);
      await subject.pass(TTL_MS);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBe(true);
      expect(await subject.leases.acquire('work', 'a', TTL_MS)).toBe(false);
    });

    it('gives a released lease to the next at once', async () => {
      await subject.leases.acquire('work', 'a', TTL_MS);
      await subject.leases.release('work', 'a');
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBe(true);
    });

    it('releases nothing for who does not hold it', async () => {
      await subject.leases.acquire('work', 'a', TTL_MS);
      await subject.others.release('work', 'b');
      await subject.others.release('never taken', 'b');
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBe(false);
    });
  });
}
