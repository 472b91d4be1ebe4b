import type { ActivityRegistry } from '#lib/activity';
import { ConflictNotSettled, type EventLog, RevisionConflict } from '#lib/event-store';
import { type EventMetadata, isRejection, type Rejection } from '#lib/kernel';
import { foldSteps, mayRecord, type RunSteps } from './run.decider.js';
import type { RuntimeEvent } from './runtime.events.js';

/** The event id and the metadata of an answer to a run. */
export interface Answer {
  /** Recognizes a repetition: an event with this id is appended once. */
  readonly eventId: string;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** Position of the event; `undefined` if it had been recorded before, or nothing was there to be answered. */
export interface Answered {
  readonly position: string | undefined;
}

const ATTEMPTS = 20;

/**
 * Appends an event from outside to a run: a signal, a cancellation, the end of a child. Decided by what is open, without the
 * run's rules, so any process may do it. Of two answers to one step the second is refused by `decide`.
 * @param decide the event to record; `undefined` if there is nothing to do
 * @throws StoreUnavailable @throws ConflictNotSettled
 */
export async function answerRun(
  log: EventLog,
  activities: ActivityRegistry,
  stream: string,
  { eventId, metadata }: Answer,
  decide: (steps: RunSteps) => RuntimeEvent | Rejection | undefined,
): Promise<Answered | Rejection> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { events } = await log.load(stream);
    const repeated = events.find((event) => event.eventId === eventId);
    if (repeated) return { position: repeated.position };
    const steps = foldSteps(events, activities);
    const event = decide(steps);
    if (event === undefined) return { position: undefined };
    if (isRejection(event)) return event;
    if (!mayRecord(steps, { ...event, occurredAt: metadata.occurredAt }, activities))
      return { position: undefined };
    try {
      const { position } = await log.append(stream, steps.revision, [{ eventId, event, metadata }]);
      return { position };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
  const why = `other writers got in between ${ATTEMPTS} times`;
  throw new ConflictNotSettled(`an answer to ${stream}`, why, 'Nothing was written: send it again');
}
