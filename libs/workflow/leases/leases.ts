import type { Time } from '../time.js';

/**
 * Leases: the right to drive something, one owner at a time. They keep two processes from paying for the same call; the log stays correct by the
 * expected revision of every append. A suite of tests (`describeLeasesContract`, in `testing`) states the guarantees of every adapter.
 */
export interface Leases {
  /**
   * Takes the lease for `ttlMs`, or renews it if this owner holds it. @returns its fencing token: the same for a renewal, a
   * higher one for each taking, even after a release; `undefined` while another owner holds the lease
   */
  acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined>;
  /** Renews the taking with this token. False once it was released or another owner has taken the lease. */
  renew(name: string, token: number, ttlMs: number): Promise<boolean>;
  /** Releases the taking with this token, if it is still the last one. */
  release(name: string, token: number): Promise<void>;
  /** `release` with work left to do: the name is listed as expired until it is taken again. */
  leave(name: string, token: number): Promise<void>;
  /** Names whose owner did not renew or left work behind, and that no owner has taken since. */
  expired(limit: number): Promise<readonly string[]>;
  /** The names in this list that an owner holds now. */
  heldAmong(names: readonly string[]): Promise<readonly string[]>;
}

/**
 * A bound above the duration of every lease. A lease that ends later was taken before the clock was set back. It counts as expired, since its
 * owner may be gone; an owner that is alive renews it within a third of its life, by the new clock.
 */
export const LONGEST_LEASE_MS = 1_800_000;

/** The owner of leases, their store, their duration, and the time by which it is measured. */
export interface LeaseHolder {
  readonly leases: Leases;
  /** Different in every process. */
  readonly owner: string;
  readonly ttlMs: number;
  readonly time: Time;
}
