import type { Leases } from './leases.js';
import type { RunnerSettings } from './runner-settings.js';

/** Renews a lease three times within its life for as long as the work takes, then gives it back. */
export class LeaseHeartbeat {
  static async during<T>(
    leases: Leases,
    name: string,
    { owner, leaseTtlMs }: RunnerSettings,
    work: () => Promise<T>,
  ): Promise<T> {
    // A renewal that fails is not the work's concern: what it appends is guarded by expected revisions.
    const renew = () => void leases.acquire(name, owner, leaseTtlMs).catch(() => undefined);
    const timer = setInterval(renew, leaseTtlMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await leases.release(name, owner).catch(() => undefined);
    }
  }
}
