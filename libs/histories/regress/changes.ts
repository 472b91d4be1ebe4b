import { requestBodies } from '#lib/call-rules';
import { type Event, firstDifference, isJsonObject, type RecordedEvent } from '#lib/kernel';

/** The first place at which today's code and definitions give another value than the record. */
export interface Change {
  readonly roundId?: string;
  readonly stream: string;
  readonly revision: number;
  /** JSON pointer into the event. Requests to models are compared with their whole bodies. */
  readonly pointer?: string;
  /** `null` if the record has no value. */
  readonly recorded: unknown;
  /** `null` if today's code gives no value. */
  readonly today: unknown;
}

/** The changes of a history: the first of each kind. */
export interface Changes {
  requests?: Change;
  decisions?: Change;
  /** A version of a workflow that a run names and today's code does not have. */
  missing?: string;
}

/** The place of an event in the log. */
export type Location = Pick<Change, 'stream' | 'revision' | 'roundId'>;

/** The difference of two events in type or data; `undefined` if there is none. */
export function changeOf(
  location: Location,
  recorded: Event | undefined,
  today: Event | undefined,
): Change | undefined {
  if (recorded?.type !== today?.type)
    return { ...location, pointer: '/type', recorded: recorded?.type ?? null, today: today?.type ?? null };
  const difference = firstDifference(recorded?.data, today?.data, '/data');
  if (!difference) return undefined;
  const { pointer, recorded: before, replayed } = difference;
  return { ...location, pointer, recorded: before ?? null, today: replayed ?? null };
}

/** The events of a run, with the whole bodies of requests to models. */
export function withBodies(run: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const bodies = requestBodies(run);
  return run.map((event) => withBody(event, bodies));
}

function withBody(event: RecordedEvent, bodies: ReturnType<typeof requestBodies>): RecordedEvent {
  if (event.type !== 'LlmCallRequested' || !isJsonObject(event.data)) return event;
  const { bodySha256: _, stepId, ...data } = event.data;
  return { ...event, data: { stepId, ...data, body: bodies.get(stepId as string) ?? null } };
}
