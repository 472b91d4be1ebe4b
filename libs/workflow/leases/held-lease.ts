import type { LeaseHolder } from './leases.js';

/** A lease while it is held: renewed three times within its life, until it is released or another owner has taken it. */
export class HeldLease {
  #lost = false;
  #renewing: Promise<unknown> = Promise.resolve();
  #stopRenewing: () => void;

  private constructor(
    readonly name: string,
    readonly token: number,
    private readonly holder: LeaseHolder,
    private readonly onLost: () => void,
    /** The time at which the last successful renewal was sent. */
    private renewedAt: number,
  ) {
    this.#stopRenewing = this.#renewLater();
  }

  /** `undefined` while another owner holds it. `onLost` is called once, when another owner is seen to have taken it. */
  static async take(
    holder: LeaseHolder,
    name: string,
    onLost: () => void = () => undefined,
  ): Promise<HeldLease | undefined> {
    const sentAt = holder.time.monotonicMs();
    const token = await holder.leases.acquire(name, holder.owner, holder.ttlMs);
    return token === undefined ? undefined : new HeldLease(name, token, holder, onLost, sentAt);
  }

  get isLost(): boolean {
    return this.#lost;
  }

  /**
   * Whether no other owner has taken the lease since, and a third of its life is left: enough to start a call. Renews it if that is not certain.
   * @throws StoreUnavailable
   */
  async confirm(): Promise<boolean> {
    const age = this.holder.time.monotonicMs() - this.renewedAt;
    if (age <= (this.holder.ttlMs * 2) / 3) return !this.#lost;
    return this.#renew();
  }

  /** @param how `leave` if there is work left to do: then the lease is listed as expired */
  async release(how: 'release' | 'leave' = 'release'): Promise<void> {
    this.#stopRenewing();
    this.#stopRenewing = () => undefined;
    // A renewal that comes later would change nothing, but it must not reach a store that is closed.
    await this.#renewing;
    await this.holder.leases[how](this.name, this.token).catch(() => undefined);
  }

  #renewLater(): () => void {
    return this.holder.time.after(this.holder.ttlMs / 3, () => {
      if (this.#lost) return;
      this.#stopRenewing = this.#renewLater();
      // While the store is unavailable no process can take the lease. Calls that start meanwhile ask `confirm`.
      this.#renewing = this.#renew().catch(() => undefined);
    });
  }

  async #renew(): Promise<boolean> {
    if (this.#lost) return false;
    const sentAt = this.holder.time.monotonicMs();
    const renewed = await this.holder.leases.renew(this.name, this.token, this.holder.ttlMs);
    if (renewed) this.renewedAt = Math.max(this.renewedAt, sentAt);
    else this.#lose();
    return renewed;
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#stopRenewing();
    this.onLost();
  }
}

/** Does the work while it holds the lease; `undefined`, without doing it, while another owner holds the lease. */
export async function underLease<T>(
  holder: LeaseHolder,
  name: string,
  work: () => Promise<T>,
  onLost?: () => void,
): Promise<{ readonly result: T } | undefined> {
  const lease = await HeldLease.take(holder, name, onLost);
  if (!lease) return undefined;
  try {
    return { result: await work() };
  } finally {
    await lease.release();
  }
}
