import { type Event, RedialError } from '#lib/kernel';
import type { ActivityRules } from './activity.js';

/** Two activities share a name or an event type. Found at start. */
class DuplicateActivity extends RedialError {}

type ActivityRole = 'requested' | 'completed' | 'failed';

/** Activities by name and by the types of their events. A process that only reads a log has their rules alone. */
export class ActivityRegistry<A extends ActivityRules = ActivityRules> {
  readonly #byName = new Map<string, A>();
  readonly #byType = new Map<string, { readonly activity: A; readonly role: ActivityRole }>();

  /** @throws DuplicateActivity */
  constructor(activities: readonly A[]) {
    for (const activity of activities) this.#add(activity);
  }

  get all(): readonly A[] {
    return [...this.#byName.values()];
  }

  named(name: string): A | undefined {
    return this.#byName.get(name);
  }

  /** The activity of an event, and the event's role in it; `undefined` for an event of no activity. */
  roleOf(event: Event): { readonly activity: A; readonly role: ActivityRole } | undefined {
    return this.#byType.get(event.type);
  }

  #add(activity: A): void {
    const roles = Object.entries(activity.events) as [ActivityRole, string][];
    const taken = roles.find(([, type]) => this.#byType.has(type));
    if (taken || this.#byName.has(activity.name)) {
      const why = taken
        ? `another activity has the event type ${taken[1]}`
        : 'another activity has this name';
      throw new DuplicateActivity(`activity ${activity.name}`, why, 'Name each activity and its events once');
    }
    this.#byName.set(activity.name, activity);
    for (const [role, type] of roles) this.#byType.set(type, { activity, role });
  }
}
