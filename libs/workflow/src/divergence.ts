import { type Event, firstDifference, type RecordedEvent } from '#lib/kernel';

/** The first event that differs when its history is derived again. */
export interface Divergence {
  readonly stream: string;
  readonly revision: number;
  /** Of the recorded event. */
  readonly type: string;
  /** JSON pointer (RFC 6901) into the event: below `/data`, or `/type`. */
  readonly pointer: string;
  /** `undefined` where one side has nothing. */
  readonly recorded: unknown;
  readonly replayed: unknown;
}

/** The difference between a recorded event and the one derived in its place, in type or data. Metadata is not compared. */
export function compareEvents(recorded: RecordedEvent, replayed: Event | undefined): Divergence | undefined {
  if (!replayed || replayed.type !== recorded.type) return divergenceAt(recorded, replayed?.type);
  const difference = firstDifference(recorded.data, replayed.data, '/data');
  return difference && { ...locationOf(recorded), ...difference };
}

/** Another event, or none, belongs where this one stands. */
export function divergenceAt(recorded: RecordedEvent, replayed: string | undefined): Divergence {
  return { ...locationOf(recorded), pointer: '/type', recorded: recorded.type, replayed };
}

/** Damaged data may have any shape: an exception of pure code is a divergence at that event, never a crash. */
export function divergenceFromError(recorded: RecordedEvent, error: unknown): Divergence {
  const replayed = `no event: ${error instanceof Error ? error.message : String(error)}`;
  return { ...locationOf(recorded), pointer: '', recorded: recorded.type, replayed };
}

/** The location of an event, as a divergence names it. */
export function locationOf({ stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>) {
  return { stream, revision, type };
}
