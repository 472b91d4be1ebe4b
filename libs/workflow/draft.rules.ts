import type { NewEvent } from '#lib/event-store';
import {
  ENGINE_ACTOR,
  type Event,
  type EventMetadata,
  jsonText,
  type RecordedEvent,
  sameJson,
  thrownText,
} from '#lib/kernel';
import { answerOf, brokenRule, type CallRequest, derivable, type Derived } from './derive.rules.js';
import { mayRecord } from './run.decider.js';
import { evolveRun, type Run } from './run.rules.js';
import type { Step } from './workflow.js';

/** The most derived events in a row, without one from outside. Rules that derive more are treated as rules without an end. */
export const MOST_DERIVED = 1_000;

/**
 * Gives an event the members of a stored one: id, revision, time.
 * @param run that it follows in
 * @param causationId of an event from outside: the start of the run, or of the child that ended. Of a derived event: the last event from outside
 * @param eventId of an event from outside, if it has one
 */
type Recorder = (event: Event, run: Run, causationId: string, eventId?: string) => RecordedEvent;

/** Records events as the engine's own. @param now ISO 8601 */
export function engineRecorder(nextId: () => string, now: () => string): Recorder {
  return (event, { start, steps }, causationId, eventId = nextId()) => {
    const { correlationId, keyId } = start.metadata;
    const about = { correlationId, ...(keyId !== undefined && { keyId }) };
    const metadata = { occurredAt: now(), ...about, causationId, actor: ENGINE_ACTOR };
    return draftEvent(event, { eventId, stream: start.stream, revision: steps.revision + 1, metadata });
  };
}

/** Events that are about to be appended after a run's last one, all or none, and the run with them. */
export class Draft {
  readonly events: RecordedEvent[] = [];

  /** @param admits whether a call may be requested now. Without it, no event is derived */
  constructor(
    public run: Run,
    private readonly record: Recorder,
    private readonly admits?: (request: CallRequest) => boolean,
  ) {}

  /**
   * Takes an event from outside, and derives the events that follow from it. False, without a change, if it answers no open step.
   * @throws WorkflowBug
   */
  take(event: Event, eventId?: string, causationId = this.run.start.eventId): boolean {
    const { steps, activities } = this.run;
    const recorded = this.record(event, this.run, causationId, eventId);
    if (!mayRecord(steps, recorded, activities)) return false;
    this.#add(recorded);
    this.settle();
    return true;
  }

  /**
   * Derives events until the run waits for an event from outside. A call that may not be requested now is passed by the steps that may pass it.
   * @throws WorkflowBug when the rules do not come to rest
   */
  settle(): void {
    const { admits } = this;
    if (!admits) return;
    // No derived event changes the cause. It is read from the run, so that every draft that derives the event gives it the same one.
    const { cause } = this.run.steps;
    for (let count = 0; ; count++) {
      const answer = answerOf(this.run);
      const derived = derivable(this.run, answer).find((one) => !isCall(one) || admits(one));
      if (!derived) return;
      if (count === MOST_DERIVED)
        throw brokenRule(`they ask for more than ${MOST_DERIVED} events in a row`, 'Let them wait or end');
      checkDelay(derived);
      this.#add(this.record(derived.event, this.run, cause));
      checkProgress(derived, answer, answerOf(this.run));
    }
  }

  #add(event: RecordedEvent): void {
    this.events.push(event);
    this.run = evolveRun(this.run, event);
  }
}

function isCall(derived: Derived): derived is CallRequest {
  return derived.step?.do === 'call';
}

/** @throws WorkflowBug for a time that JSON has no number for: read from the log, it would be 0 */
function checkDelay({ step }: Derived): void {
  const delayMs = step?.do === 'timer' ? step.afterMs : step?.do === 'await' ? (step.timeoutMs ?? 0) : 0;
  if (Number.isFinite(delayMs)) return;
  throw brokenRule(`a step waits for ${delayMs} ms`, 'Give a number, or leave `timeoutMs` out');
}

/** @throws WorkflowBug if a record leaves the steps unchanged: it would be recorded again without an end */
export function checkProgress({ step }: Derived, before: readonly Step[], after: readonly Step[]): void {
  if (step?.do !== 'record' || !sameJson(before, after)) return;
  const why = `recording ${step.event.type} does not change what they ask for next`;
  throw brokenRule(why, 'Let evolve take note of the event');
}

/** The envelope of an event that is about to be appended. */
interface DraftLocation {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/**
 * The event as a reader of the log gets it after the append, but without its position: its data has passed through JSON text. Rules fold this
 * event and never the object that they made.
 */
export function draftEvent(event: Event, location: DraftLocation): RecordedEvent {
  const { type } = event;
  const { occurredAt } = location.metadata;
  return { type, data: readBack(event), ...location, schemaVersion: 1, position: '', occurredAt };
}

/** @throws WorkflowBug for data without a JSON text, such as a bigint or an object that holds itself */
function readBack({ type, data }: Event): object {
  let text: string;
  try {
    text = jsonText(data);
  } catch (error) {
    const [why] = thrownText(error).split('\n');
    throw brokenRule(`the data of ${type} has no JSON text (${why})`, 'Let them give values of JSON');
  }
  return JSON.parse(text) as object;
}

/** The form in which the log appends the event. The codec sets the schema version. */
export function toAppend({ eventId, type, data, metadata }: RecordedEvent): NewEvent {
  return { eventId, event: { type, data }, metadata };
}
