import { beforeEach, describe, expect, it } from '@jest/globals';
import { describeLeasesContract } from '../testing/leases.contract.js';
import { InMemoryLeases } from '../testing/in-memory-leases.js';
import { VirtualTime } from '../virtual-time.js';
import { HeldLease, underLease } from './held-lease.js';

const TTL_MS = 9_000;

describeLeasesContract('in memory', async () => {
  const time = new VirtualTime();
  const leases = new InMemoryLeases(time);
  return { leases, others: leases, pass: (ms) => time.pass(ms), cleanup: async () => undefined };
});

describe('X-C2 a held lease', () => {
  let time: VirtualTime;
  let leases: InMemoryLeases;
  let lost: number;
  beforeEach(() => {
    time = new VirtualTime();
    leases = new InMemoryLeases(time);
    lost = 0;
  });
  const take = async (owner = 'a') => {
    const lease = await HeldLease.take({ leases, owner, ttlMs: TTL_MS, time }, 'work', () => lost++);
    if (!lease) throw new Error('refused');
    return lease;
  };

  it('is renewed while it is held, and leaves no timer', async () => {
    const lease = await take();
    await time.pass(10 * TTL_MS);
    expect(leases.ownerOf('work')).toBe('a');
    expect(await lease.confirm()).toBe(true);
    await lease.release();
    expect([leases.held, time.timers]).toEqual([[], 0]);
  });

  it('is lost, once, when another owner has taken it', async () => {
    const lease = await take();
    leases.renew = async () => false;
    await time.pass(TTL_MS);
    expect([lease.isLost, lost, await lease.confirm(), time.timers]).toEqual([true, 1, false, 0]);
  });

  it('waits for a renewal that is under way before it is released', async () => {
    let answer = (_: boolean) => {};
    const lease = await take();
    leases.renew = () => new Promise((resolve) => (answer = resolve));
    await time.pass(TTL_MS / 3);
    let released = false;
    const release = lease.release().then(() => (released = true));
    await time.pass(0);
    expect(released).toBe(false);
    answer(true);
    await release;
    expect(leases.held).toEqual([]);
  });

  it('is not lost while the store is away, and confirms nothing that is not sure', async () => {
    const lease = await take();
    leases.renew = () => Promise.reject(new Error('away'));
    await time.pass((TTL_MS * 2) / 3);
    expect(await lease.confirm()).toBe(true);
    await time.pass(1);
    await expect(lease.confirm()).rejects.toThrow('away');
    expect(lease.isLost).toBe(false);
  });

  it('counts its life from the sending of a renewal, not from its answer', async () => {
    const lease = await take();
    const renew = leases.renew.bind(leases);
    leases.renew = async (...renewal) => {
      const answer = await renew(...renewal);
      await new Promise<void>((resolve) => void time.after(TTL_MS * 0.9, resolve));
      return answer;
    };
    await time.pass(TTL_MS * 1.3);
    let asked = 0;
    leases.renew = async () => Boolean(++asked);
    await lease.confirm();
    expect(asked).toBe(1);
  });

  it('is not taken while another owner holds it', async () => {
    await take();
    const work = () => Promise.reject(new Error('begun'));
    expect(await underLease({ leases, owner: 'b', ttlMs: TTL_MS, time }, 'work', work)).toBeUndefined();
  });
});
