import type {
  Appended,
  NewEvent,
  StoredEvent,
  StreamAppend,
  StreamCategory,
  StreamHistory,
  StreamNames,
} from '#lib/event-store';
import { derivedId, type Event, type RecordedEvent, RedialError } from '#lib/kernel';
import type { Owner, RunEnd } from './runtime.events.js';
import type { Run } from './run.rules.js';
import type { RunRequest } from './start-run.js';

/** A run that the stream of a capability has asked for. */
export interface AskedRun {
  readonly workflow: string;
  readonly runId: string;
  /** The capability's stream. */
  readonly stream: string;
}

/** How the events of a capability's streams name the runs of one workflow that they ask for, and whose ends they take in. */
export interface RunRequests {
  readonly category: StreamCategory;
  readonly workflow: string;
  /** The id of the run that this event asks for. */
  readonly askedBy: (event: Event) => string | undefined;
  readonly takenBy: (event: Event) => string | undefined;
  /** The ids of runs whose end is no longer needed. */
  readonly withdrawnBy?: (event: Event) => readonly string[];
}

/** The ids of runs that a member of an event lists. */
export function runIdsIn(data: object, member: string): readonly string[] {
  const value: unknown = (data as { readonly [name: string]: unknown })[member];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

/** A run that a stream of a capability asks for. */
export function askedRun(
  { workflow, category }: RunRequests,
  streams: StreamNames,
  id: string,
  runId: string,
): AskedRun {
  return { workflow, runId, stream: streams.of(category, id) };
}

/** The end of a run, for the capability that asked for it. */
export interface EndedRun {
  readonly runId: string;
  readonly owner: Extract<Owner, { stream: string }>;
  readonly end: RunEnd;
}

/** The end of a run that the stream of a capability asked for. */
export function endedRun({ runId, start, steps: { end } }: Run): EndedRun | undefined {
  const { owner } = start.data;
  return end && owner && 'stream' in owner ? { runId, owner, end } : undefined;
}

/** The runs that one event of a capability's stream asks for, and those that it withdraws. */
export interface NamedRuns {
  readonly asked: readonly AskedRun[];
  readonly withdrawn: readonly AskedRun[];
}

/** The state of a run in the stream that asked for it: the delivery, if its end was taken in or is not needed, else the request to start it. */
export type Wanted = { readonly delivered: readonly RecordedEvent[] } | { readonly request: RunRequest };

/** A stream does not know a run that it should have asked for. A bug, or a damaged log. */
export class LostRun extends RedialError {}

/**
 * A capability whose streams ask for runs of one workflow. Order: its stream names the run's id, the run starts, the run ends, the capability takes
 * the end in by a command of its own. Each step checks whether it was done already, so any process can continue where another one stopped.
 */
export interface RunOwner {
  /** The run in a history of the capability's stream; `undefined` if the history does not ask for it. */
  find(asked: AskedRun, history: StreamHistory): Wanted | undefined;
  /** The runs that a stored event names. Present if the capability withdraws runs. */
  namedIn?(event: StoredEvent): NamedRuns;
  /** The reason why runs are withdrawn, for their cancellation. */
  readonly withdrawalReason?: string | undefined;
  /** Whether the stream that asked for a run no longer needs its end. */
  isWithdrawn?(asked: AskedRun, history: StreamHistory): boolean;
  /**
   * Takes in an end by the command with the id `deliveryId(runId)`. Called again until it succeeds.
   * @param planned the append of `planDelivery`, if it was made: then there is nothing left to write
   * @returns the events that this command wrote, now or before
   */
  deliver(ended: EndedRun, planned?: Appended): Promise<readonly RecordedEvent[]>;
  /**
   * The append that `deliver` would make, if it is known without a read. It follows the run's end, in one flush if the store has one; then `deliver`
   * is called.
   */
  planDelivery(ended: EndedRun): StreamAppend<NewEvent> | undefined;
}

/** The id of the command by which an owner takes in the end of a run. */
export function deliveryId(runId: string): string {
  return derivedId(runId, 'delivery');
}
