import type { Activity } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import type { Event, RecordedEvent } from '#lib/kernel';
import type { LeaseHolder } from './leases/leases.js';
import type { RunOwner } from './run-owner.js';
import type { StarterParts } from './start-run.js';
import type { Time } from './time.js';
import type { RunIndex } from './run-index.js';

/** The parts of the runtime of a process. */
export interface RuntimeParts extends StarterParts {
  readonly activities: ActivityRegistry<Activity>;
  readonly time: Time;
  readonly holder: LeaseHolder;
  readonly index: RunIndex;
  /** Milliseconds between two sweeps of open runs. */
  readonly sweepMs: number;
  /** The most calls of an activity that this process has open at once. */
  readonly callLimit: (activity: string) => number;
  /** The capabilities whose streams ask for runs, by the name of the workflow. */
  readonly owners: ReadonlyMap<string, RunOwner>;
  readonly observer: RuntimeObserver;
  /** Whether rules that can check themselves do so after each wait. It costs time, and is for development. */
  readonly checksRules: boolean;
}

/** Gets reports that no event records: warnings, and the text of open calls. */
export interface RuntimeObserver {
  warn(message: string): void;
  /** The outcome of a call came after another process had closed the call. */
  outcomeDiscarded(stream: string, outcome: Event): void;
  /** @param start of the run whose call received the text */
  delta(start: RecordedEvent, stepId: string, text: string): void;
}
