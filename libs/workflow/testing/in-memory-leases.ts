import type { Clock } from '#lib/kernel';
import { type Leases, LONGEST_LEASE_MS } from '../leases/leases.js';

interface Lease {
  readonly owner: string;
  readonly token: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Leases of one process, by a clock that a test can set. */
export class InMemoryLeases implements Leases {
  readonly #held = new Map<string, Lease>();
  #lastToken = 0;

  constructor(private readonly clock: Clock) {}

  async acquire(name: string, owner: string, ttlMs: number): Promise<number | undefined> {
    const held = this.#held.get(name);
    if (held && held.owner !== owner && this.#isHeld(held)) return undefined;
    const token = held?.owner === owner ? held.token : ++this.#lastToken;
    this.#held.set(name, { owner, token, expiresAt: this.#now + ttlMs });
    return token;
  }

  async renew(name: string, token: number, ttlMs: number): Promise<boolean> {
    return this.#change(name, token, (held) => ({ ...held, expiresAt: this.#now + ttlMs }));
  }

  async release(name: string, token: number): Promise<void> {
    if (this.#held.get(name)?.token === token) this.#held.delete(name);
  }

  async leave(name: string, token: number): Promise<void> {
    this.#change(name, token, (held) => ({ ...held, owner: '', expiresAt: this.#now }));
  }

  async expired(limit: number): Promise<readonly string[]> {
    const expired = [...this.#held].filter(([, lease]) => !this.#isHeld(lease));
    return expired.slice(0, limit).map(([name]) => name);
  }

  async heldAmong(names: readonly string[]): Promise<readonly string[]> {
    return names.filter((name) => this.ownerOf(name) !== undefined);
  }

  ownerOf(name: string): string | undefined {
    const held = this.#held.get(name);
    return held && this.#isHeld(held) ? held.owner : undefined;
  }

  /** Names that are held now. */
  get held(): readonly string[] {
    return [...this.#held].flatMap(([name, lease]) => (this.#isHeld(lease) ? name : []));
  }

  get #now(): number {
    return this.clock.now().getTime();
  }

  #isHeld({ expiresAt }: Lease): boolean {
    return expiresAt > this.#now && expiresAt <= this.#now + LONGEST_LEASE_MS;
  }

  #change(name: string, token: number, change: (held: Lease) => Lease): boolean {
    const held = this.#held.get(name);
    if (held?.token !== token) return false;
    this.#held.set(name, change(held));
    return true;
  }
}
