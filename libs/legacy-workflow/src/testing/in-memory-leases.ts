import type { Clock } from '#lib/kernel';
import type { Leases } from '../leases.js';

interface Lease {
  readonly owner: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Leases of one process, by a clock that a test can set. */
export class InMemoryLeases implements Leases {
  readonly #held = new Map<string, Lease>();

  constructor(private readonly clock: Clock) {}

  async acquire(name: string, owner: string, ttlMs: number): Promise<boolean> {
    const now = this.clock.now().getTime();
    const held = this.#held.get(name);
    if (held && held.owner !== owner && held.expiresAt > now) return false;
    this.#held.set(name, { owner, expiresAt: now + ttlMs });
    return true;
  }

  async release(name: string, owner: string): Promise<void> {
    if (this.#held.get(name)?.owner === owner) this.#held.delete(name);
  }

  /** Who holds the lease now. */
  ownerOf(name: string): string | undefined {
    const held = this.#held.get(name);
    return held && held.expiresAt > this.clock.now().getTime() ? held.owner : undefined;
  }
}
