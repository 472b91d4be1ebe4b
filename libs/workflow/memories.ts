import type { ActivityEvent, RunGiven } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';

type ByActivity = ReadonlyMap<string, unknown>;

/** The most events of calls that a run holds besides the memories of its activities. */
const MOST_WAITING = 16;

/**
 * The memories that activities have of a run up to one of its events. The events of calls are folded when a request asks for a memory: events
 * without a later request are never folded.
 */
export class Memories {
  #folded: ByActivity = new Map();
  #waiting: readonly ActivityEvent[] = [];

  constructor(
    private readonly activities: ActivityRegistry,
    private readonly given: RunGiven,
  ) {}

  /** @param event of a call */
  after(event: ActivityEvent): Memories {
    if (this.#waiting.length >= MOST_WAITING) this.#fold();
    const next = new Memories(this.activities, this.given);
    next.#folded = this.#folded;
    next.#waiting = [...this.#waiting, event];
    return next;
  }

  of(activity: string): unknown {
    this.#fold();
    return this.#known(this.#folded, activity);
  }

  #fold(): void {
    this.#folded = this.#waiting.reduce<ByActivity>(
      (folded, event) => this.#evolved(folded, event),
      this.#folded,
    );
    this.#waiting = [];
  }

  #evolved(folded: ByActivity, event: ActivityEvent): ByActivity {
    const next = new Map(folded);
    for (const { name, memory } of this.activities.all) {
      if (memory?.evolve) next.set(name, memory.evolve(this.#known(folded, name), event));
    }
    return next;
  }

  #known(folded: ByActivity, activity: string): unknown {
    if (folded.has(activity)) return folded.get(activity);
    return this.activities.named(activity)?.memory?.begin(this.given);
  }
}
