import type { Activity, CallPool } from './activity/activity.js';
import type { JsonObject } from '#lib/kernel';

/** Bounds the calls that a process has open at once, for each pool. Free slots go to the waiting runs in turn. */
export class CallSlots {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<SlotHolder>>();

  /** @param limitOf the limit of activities without pools of their own */
  constructor(readonly limitOf: (activity: string) => number) {}

  /** The number of taken slots of all pools. A call has its slot until its outcome is recorded. */
  get taken(): number {
    return [...this.#taken.values()].reduce((sum, taken) => sum + taken, 0);
  }

  take({ name, limit }: CallPool, holder: SlotHolder): boolean {
    const taken = this.#taken.get(name) ?? 0;
    const waiting = this.#waiting.get(name) ?? new Set();
    if (taken < limit) {
      this.#taken.set(name, taken + 1);
      return true;
    }
    this.#waiting.set(name, waiting.add(holder));
    return false;
  }

  /** Gives a slot to the first holder that waits, else back to the pool. */
  pass(pool: string): void {
    const waiting = this.#waiting.get(pool);
    const [next] = waiting ?? [];
    if (next === undefined) {
      this.#taken.set(pool, (this.#taken.get(pool) ?? 1) - 1);
      return;
    }
    waiting?.delete(next);
    next.grant(pool);
  }

  forget(holder: SlotHolder): void {
    for (const waiting of this.#waiting.values()) waiting.delete(holder);
  }
}

/** The slots of one run. */
export class SlotHolder {
  /** The names of pools, by step id. */
  readonly #held = new Map<string, string>();
  /** The names of the pools that granted a slot while this holder waited. */
  #granted: string[] = [];

  /** @param wake called when this holder was granted a slot that it waits for */
  constructor(
    private readonly slots: CallSlots,
    private readonly wake: () => void,
  ) {}

  /** Whether the call has a slot now. If not, `wake` is called when it may ask again. */
  take(stepId: string, { name, pool: poolOf }: Activity, request: JsonObject): boolean {
    if (this.#held.has(stepId)) return true;
    const pool = poolOf?.(request) ?? { name, limit: this.slots.limitOf(name) };
    const granted = this.#granted.indexOf(pool.name);
    if (granted >= 0) this.#granted.splice(granted, 1);
    else if (!this.slots.take(pool, this)) return false;
    this.#held.set(stepId, pool.name);
    return true;
  }

  /** Gives back every slot but those of the steps that are kept. */
  keep(isKept: (stepId: string) => boolean): void {
    const unused = this.#granted;
    this.#granted = [];
    for (const pool of unused) this.slots.pass(pool);
    for (const [stepId, pool] of this.#held) {
      if (isKept(stepId)) continue;
      this.#held.delete(stepId);
      this.slots.pass(pool);
    }
  }

  release(): void {
    this.slots.forget(this);
    this.keep(() => false);
  }

  grant(pool: string): void {
    this.#granted.push(pool);
    this.wake();
  }
}
