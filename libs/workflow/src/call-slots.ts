/** Bounds the calls that a process has open at once, for each activity. Waiting runs get a free slot in turn. */
export class CallSlots {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<SlotHolder>>();

  constructor(private readonly limitOf: (activity: string) => number) {}

  /** @param wake called when a slot that this holder waits for was granted to it */
  holder(wake: () => void): SlotHolder {
    return new SlotHolder(this, wake);
  }

  take(activity: string, holder: SlotHolder): boolean {
    const taken = this.#taken.get(activity) ?? 0;
    const waiting = this.#waiting.get(activity) ?? new Set();
    if (taken < this.limitOf(activity)) {
      this.#taken.set(activity, taken + 1);
      return true;
    }
    this.#waiting.set(activity, waiting.add(holder));
    return false;
  }

  /** To the first that waits, else back. */
  pass(activity: string): void {
    const waiting = this.#waiting.get(activity);
    const [next] = waiting ?? [];
    if (next === undefined) {
      this.#taken.set(activity, (this.#taken.get(activity) ?? 1) - 1);
      return;
    }
    waiting?.delete(next);
    next.grant(activity);
  }

  forget(holder: SlotHolder): void {
    for (const waiting of this.#waiting.values()) waiting.delete(holder);
  }
}

/** The slots of one run. */
export class SlotHolder {
  /** Activity by step id. */
  readonly #held = new Map<string, string>();
  /** Activities of slots that came while it waited. */
  #granted: string[] = [];

  constructor(
    private readonly slots: CallSlots,
    private readonly wake: () => void,
  ) {}

  /** Whether the step has a slot now; else `wake` follows when it may ask again. */
  take(stepId: string, activity: string): boolean {
    if (this.#held.has(stepId)) return true;
    const granted = this.#granted.indexOf(activity);
    if (granted >= 0) this.#granted.splice(granted, 1);
    else if (!this.slots.take(activity, this)) return false;
    this.#held.set(stepId, activity);
    return true;
  }

  /** Gives back every slot but those of steps that are kept. */
  keep(isKept: (stepId: string) => boolean): void {
    const unused = this.#granted;
    this.#granted = [];
    for (const activity of unused) this.slots.pass(activity);
    for (const [stepId, activity] of this.#held) {
      if (isKept(stepId)) continue;
      this.#held.delete(stepId);
      this.slots.pass(activity);
    }
  }

  release(): void {
    this.slots.forget(this);
    this.keep(() => false);
  }

  grant(activity: string): void {
    this.#granted.push(activity);
    this.wake();
  }
}
