import type { Activity, ActivityRegistry } from '#lib/activity';
import type { Appended, EventLog, NewEvent, StoreUnavailable, StreamAppend } from '#lib/event-store';
import type { Event, IdSource, RecordedEvent } from '#lib/kernel';
import type { CallSlots } from './call-slots.js';
import type { LeaseHolder } from './leases/leases.js';
import type { OpenStep } from './run.decider.js';
import type { Run } from './run.rules.js';
import type { Time } from './time.js';

/** The process, as a driver sees it. */
export interface DriverHost {
  /** No call is requested any more. */
  readonly isStopping: boolean;
  /** The run folded to its last event; `undefined` where there is none, or this process does not have its version. */
  load(stream: string): Promise<Run | undefined>;
  /** Starts a child that is open, or asks it to end. Repeating it changes nothing. */
  tendChild(parent: Run, stepId: string, child: Extract<OpenStep, { kind: 'child' }>): Promise<void>;
  /** The events that `deliver` would append to the owner's stream, when they are known without a read. */
  planDelivery(run: Run): StreamAppend<NewEvent> | undefined;
  /** Delivers the end to its owner. Repeating it changes nothing. */
  deliver(run: Run): Promise<void>;
  /** The store is unavailable. The driver continues when it answers again. */
  stalled(stream: string, error: StoreUnavailable): void;
  /** Calls `wake` of the stream's driver then, or drives the stream. */
  wakeAt(stream: string, dueAt: number): void;
  /** An outcome came after its call had been closed by another process. */
  discard(stream: string, outcome: Event): void;
  emit(start: RecordedEvent, stepId: string, text: string): void;
}

/** A run that is not in the log yet. Neither callback runs where the driver stops before its first append. */
export interface Beginning {
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
  readonly host: DriverHost;
}
