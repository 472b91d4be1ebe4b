import type { Leases } from '#lib/legacy-workflow';

/** Who takes leases, where, and for how long. */
export interface LeaseHolder {
  readonly leases: Leases;
  /** Different in every process. */
  readonly owner: string;
  readonly ttlMs: number;
}

/**
 * Does the work while this owner holds the lease, and gives it back. It is renewed three times within its life; `lost` is
 * called where somebody else has taken it. False, and nothing is done, while somebody else holds it.
 */
export async function underLease(
  { leases, owner, ttlMs }: LeaseHolder,
  name: string,
  lost: () => void,
  work: () => Promise<void>,
): Promise<boolean> {
  if (!(await leases.acquire(name, owner, ttlMs))) return false;
  let renewing = Promise.resolve();
  const renew = async () => {
    // A renewal that cannot be made is not known to be lost; what is written meanwhile is guarded without the lease.
    if (!(await leases.acquire(name, owner, ttlMs).catch(() => true))) lost();
  };
  const timer = setInterval(() => {
    renewing = renew();
  }, ttlMs / 3);
  try {
    await work();
  } finally {
    clearInterval(timer);
    // One that is under way would take the lease again.
    await renewing;
    await leases.release(name, owner).catch(() => undefined);
  }
  return true;
}
