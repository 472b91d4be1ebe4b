import type { Activity } from './activity/activity.js';
import type { ActivityRegistry } from './activity/activity-registry.js';
import type { Appended, EventLog, NewEvent, StoreUnavailable, StreamAppend } from '#lib/event-store';
import type { Event, IdSource, RecordedEvent } from '#lib/kernel';
import type { CallSlots } from './call-slots.js';
import type { ChildRuns } from './child-runs.js';
import type { LeaseHolder } from './leases/leases.js';
import type { OwnedRuns } from './owned-runs.js';
import type { Run } from './run.rules.js';
import type { PreparedRun } from './start-run.js';
import type { Time } from './time.js';
import type { RunName } from './waits-for-person.js';

/** The process, as a driver sees it. */
export interface DriverHost {
  /** No more calls are requested. */
  readonly isStopping: boolean;
  /** The run folded to its last event, to be continued; `undefined` if there is no run that this process may continue. */
  resume(stream: string): Promise<Run | undefined>;
  /** Settles once this process no longer drives the run; `undefined` if it does not drive it. */
  driveOf(run: RunName): Promise<unknown> | undefined;
  /** Delivers the end to a parent or owner. @param planned the append of `planDelivery`, if it was made */
  deliver(run: Run, planned?: Appended): Promise<void>;
  /** The store is unavailable. The driver continues when the store answers again. */
  stalled(stream: string, error: StoreUnavailable): void;
  /** At this time, calls `wake` of the stream's driver, or drives the stream. */
  wakeAt(stream: string, dueAt: number): void;
  /** An outcome came after another process had closed its call. */
  discard(stream: string, outcome: Event): void;
  emit(start: RecordedEvent, stepId: string, text: string): void;
}

/** A run that its driver appends before anything else. Neither callback is called if the driver stops before that. */
export interface Beginning extends PreparedRun {
  /** The append that asks for the run, made right before its start. */
  readonly request: StreamAppend<NewEvent>;
  begun(asking: Appended): void;
  failed(error: unknown): void;
}

export interface DriverParts {
  readonly log: EventLog;
  readonly time: Time;
  readonly ids: IdSource;
  readonly activities: ActivityRegistry<Activity>;
  readonly slots: CallSlots;
  readonly holder: LeaseHolder;
  readonly owned: Pick<OwnedRuns, 'mayBeWithdrawn' | 'planDelivery' | 'withdrawal'>;
  readonly children: Pick<ChildRuns, 'tend'>;
  readonly host: DriverHost;
  readonly checksRules: boolean;
}
