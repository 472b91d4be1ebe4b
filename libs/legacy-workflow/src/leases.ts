/**
 * Who may run what. A lease is a row with an owner and an expiry; taking over is a compare-and-set. It keeps two runners
 * from paying for the same call; what keeps the log right is the expected revision of every append.
 */
export interface Leases {
  /** Takes or renews the lease for `ttlMs` from now; false while somebody else holds it. */
  acquire(name: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Gives the lease back, if this owner still has it. */
  release(name: string, owner: string): Promise<void>;
}
