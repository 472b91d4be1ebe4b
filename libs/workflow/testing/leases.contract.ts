import type * as jest from '@jest/globals';
import type { Leases } from '../leases/leases.js';

// Declared, because importing them from Jest fails outside of Jest, where benchmarks use this lib's testing.
declare const afterEach: typeof jest.afterEach;
declare const beforeEach: typeof jest.beforeEach;
declare const describe: typeof jest.describe;
declare const expect: typeof jest.expect;
declare const it: typeof jest.it;

/** Two parties that share leases. */
export interface LeasesSubject {
  readonly leases: Leases;
  readonly others: Leases;
  /** Moves the time of both forward. */
  readonly pass: (milliseconds: number) => Promise<void> | void;
  readonly cleanup: () => Promise<void>;
}

/** Longer than a slow test, and less than `LONGEST_LEASE_MS`. */
const TTL_MS = 1_000_000;
const DAY_MS = 86_400_000;

/** The guarantees of every adapter of leases. `open` gives fresh leases for each test. */
export function describeLeasesContract(name: string, open: () => Promise<LeasesSubject>): void {
  describe(`leases contract: ${name}`, () => {
    let subject: LeasesSubject;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(() => subject.cleanup());

    const take = async (owner: string, leases = subject.leases) => {
      const token = await leases.acquire('work', owner, TTL_MS);
      if (token === undefined) throw new Error(`${owner} was refused.`);
      return token;
    };

    it('gives a lease to one owner only', async () => {
      await take('a');
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBeUndefined();
      expect(await subject.others.acquire('other work', 'b', TTL_MS)).toEqual(expect.any(Number));
    });

    it('gives a lease that many want at once to one of them', async () => {
      const owners = ['a', 'b', 'c', 'd', 'e', 'f'];
      const won = await Promise.all(
        owners.map((owner, n) => (n % 2 ? subject.leases : subject.others).acquire('work', owner, TTL_MS)),
      );
      expect(won.filter((token) => token !== undefined)).toHaveLength(1);
    });

    it('prolongs the lease from the time of renewal on, by its token or its owner, and keeps the token', async () => {
      const token = await take('a');
      await subject.pass(0.9 * TTL_MS);
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(true);
      await subject.pass(0.9 * TTL_MS);
      expect(await take('a')).toBe(token);
      await subject.pass(0.9 * TTL_MS);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBeUndefined();
    });

    it('gives an expired lease to another owner, and not back', async () => {
      const token = await take('a');
      await subject.pass(TTL_MS);
      await take('b', subject.others);
      expect(await subject.leases.acquire('work', 'a', TTL_MS)).toBeUndefined();
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(false);
    });

    it('gives a lease to another owner when the clock was set back by days since it was taken', async () => {
      const token = await take('a');
      await subject.pass(-5 * DAY_MS);
      expect(await subject.others.expired(10)).toEqual(['work']);
      await take('b', subject.others);
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(false);
    });

    it('lets an owner renew after the clock was set back, and keep the lease', async () => {
      const token = await take('a');
      await subject.pass(-5 * DAY_MS);
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(true);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBeUndefined();
      expect(await subject.others.expired(10)).toEqual([]);
    });

    it('lets an owner that was silent renew, as long as no one else has taken the lease', async () => {
      const token = await take('a');
      await subject.pass(2 * TTL_MS);
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(true);
      expect(await subject.others.acquire('work', 'b', TTL_MS)).toBeUndefined();
    });

    it('gives each taking a higher token, even after a release and to the same owner', async () => {
      const tokens = [await take('a')];
      await subject.leases.release('work', tokens[0] ?? 0);
      tokens.push(await take('b', subject.others));
      await subject.pass(TTL_MS);
      tokens.push(await take('a'));
      await subject.leases.release('work', tokens[2] ?? 0);
      tokens.push(await take('a'));
      expect(tokens).toEqual([...new Set(tokens)].toSorted((one, other) => one - other));
    });

    it('does not give a lease that was released back to a renewal that comes late', async () => {
      const token = await take('a');
      await subject.leases.release('work', token);
      expect(await subject.leases.renew('work', token, TTL_MS)).toBe(false);
      const next = await take('b', subject.others);
      await subject.leases.release('work', token);
      await subject.leases.leave('work', token);
      expect(await subject.others.renew('work', next, TTL_MS)).toBe(true);
    });

    it('tells which of some names are held, by whichever owner', async () => {
      const token = await take('a');
      await subject.leases.acquire('other work', 'a', TTL_MS / 2);
      const names = ['work', 'other work', 'idle work'];
      expect([...(await subject.others.heldAmong(names))].toSorted()).toEqual(['other work', 'work']);
      expect(await subject.others.heldAmong([])).toEqual([]);
      await subject.pass(TTL_MS / 2);
      expect(await subject.others.heldAmong(names)).toEqual(['work']);
      await subject.leases.leave('work', token);
      expect(await subject.others.heldAmong(names)).toEqual([]);
    });

    it('lists what was left or went silent as expired, until it is taken again', async () => {
      await subject.leases.leave('work', await take('a'));
      const silent = await subject.leases.acquire('other work', 'a', TTL_MS / 2);
      const released = await subject.leases.acquire('finished work', 'a', TTL_MS);
      await subject.leases.release('finished work', released ?? 0);
      expect(await subject.others.expired(10)).toEqual(['work']);
      await subject.pass(TTL_MS / 2);
      expect([...(await subject.others.expired(10))].toSorted()).toEqual(['other work', 'work']);
      expect(await subject.others.expired(1)).toHaveLength(1);
      await take('b', subject.others);
      expect(await subject.leases.renew('other work', silent ?? 0, TTL_MS)).toBe(true);
      expect(await subject.others.expired(10)).toEqual([]);
    });
  });
}
