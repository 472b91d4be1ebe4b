import type { ActivityRegistry } from './activity/activity-registry.js';
import { ConflictNotSettled, type EventLog, Patience, RevisionConflict } from '#lib/event-store';
import {
  derivedId,
  type EventMetadata,
  isRejection,
  randomIds,
  type RecordedEvent,
  type Rejection,
} from '#lib/kernel';
import { type Divergence, locationOf } from './divergence.js';
import { foldSteps, mayRecord, type RunSteps } from './run.decider.js';
import type {
  ChoiceGiven,
  ClockRequested,
  DueMoved,
  RuntimeEvent,
  SignalReceived,
} from './runtime.events.js';

/** Id and metadata of an answer to a run. A repeated answer is recognized by its command, or by its event id if no command sent it. */
export interface Answer {
  readonly eventId?: string;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** Position of the event; `undefined` if it was recorded before, or if there was nothing to answer. */
export interface Answered {
  readonly position: string | undefined;
}

const PATIENCE_MS = 30_000;

/** The id of the answer that a command gives to a run. */
function answerId(commandId: string): string {
  return derivedId(commandId, 'answer');
}

/**
 * The id under which an answer is recorded. The id of a signal follows from its author, too. Nothing is derived from the author, so the id is
 * how a replay finds that the author was changed in the record.
 */
function recordedId(answer: string, { type, data }: RuntimeEvent): string {
  return 'by' in data && isAnswer(type) ? derivedId(answer, `by ${data.by}`) : answer;
}

const ANSWERS: ReadonlySet<string> = new Set<RuntimeEvent['type']>([
  'SignalReceived',
  'ChoiceGiven',
  'ClockRequested',
  'DueMoved',
]);

function isAnswer(type: string): boolean {
  return ANSWERS.has(type);
}

/** The divergence of a signal whose author is not the author that its id follows from; `undefined` for every other event. */
export function authorDivergence(event: RecordedEvent): Divergence | undefined {
  const { eventId, metadata } = event;
  if (!isAnswer(event.type) || metadata.commandId === undefined) return undefined;
  const signal = event as RecordedEvent<ChoiceGiven | ClockRequested | DueMoved | SignalReceived>;
  if (eventId === recordedId(answerId(metadata.commandId), signal)) return undefined;
  return { ...locationOf(event), pointer: '/data/by', recorded: signal.data.by, replayed: undefined };
}

/**
 * Appends an event from outside to a run: a signal, a cancellation, the end of a child. The decision depends on the open steps and not on the
 * run's rules, so any process may append it. `decide` refuses the second of two answers to one step.
 * @param decide gives the event to record; `undefined` if there is nothing to do
 * @throws StoreUnavailable @throws ConflictNotSettled
 */
export async function answerRun(
  log: EventLog,
  activities: ActivityRegistry,
  stream: string,
  { eventId = randomIds.next(), metadata }: Answer,
  decide: (steps: RunSteps) => RuntimeEvent | Rejection | undefined,
): Promise<Answered | Rejection> {
  const { commandId } = metadata;
  const id = commandId === undefined ? eventId : answerId(commandId);
  const isIt = (event: RecordedEvent) => event.eventId === id;
  const patience = new Patience(PATIENCE_MS);
  for (;;) {
    const history = await log.load(stream);
    const { events } = history;
    const keyId = events[0]?.metadata.keyId;
    const [repeated] = commandId === undefined ? events.filter(isIt) : history.ofCommand(commandId);
    if (repeated) return { position: repeated.position };
    const steps = foldSteps(events, activities);
    const event = decide(steps);
    if (event === undefined) return { position: undefined };
    if (isRejection(event)) return event;
    if (!mayRecord(steps, { ...event, occurredAt: metadata.occurredAt }, activities))
      return { position: undefined };
    try {
      const { position } = await log.append(stream, steps.revision, [
        {
          eventId: recordedId(id, event),
          event,
          metadata: { ...metadata, ...(keyId !== undefined && { keyId }) },
        },
      ]);
      return { position };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      if (patience.isOver) throw notSettled(stream, error);
    }
    await patience.pause();
  }
}

function notSettled(stream: string, cause: RevisionConflict): ConflictNotSettled {
  const why = 'another writer appended first, every time';
  return new ConflictNotSettled(`an answer to ${stream}`, why, 'Nothing was written: send it again', {
    cause,
  });
}
