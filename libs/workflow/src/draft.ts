import type { NewEvent } from '#lib/event-store';
import {
  type Clock,
  type Event,
  type EventMetadata,
  type IdSource,
  jsonText,
  type RecordedEvent,
} from '#lib/kernel';
import type { CallRequest } from './derive.rules.js';
import { mayRecord } from './run.decider.js';
import { evolveRun, type Run } from './run.rules.js';
import { settle } from './settle.rules.js';

/** Events that are about to be appended after a run's last one, all or none, and the run as it would be then. */
export class Draft {
  readonly events: RecordedEvent[] = [];

  /** @param admits whether a call may be requested now; without it, nothing is derived */
  constructor(
    private current: Run,
    private readonly clock: Clock,
    private readonly ids: IdSource,
    private readonly admits?: (request: CallRequest) => boolean,
  ) {}

  get run(): Run {
    return this.current;
  }

  /** An event from outside, and all that is derived from it. Not taken where it answers nothing that is open. @throws WorkflowBug */
  take(event: Event, eventId?: string): void {
    const drafted = this.#draft(event, this.current, eventId);
    if (!mayRecord(this.current.steps, drafted, this.current.activities)) return;
    this.events.push(drafted);
    this.current = evolveRun(this.current, drafted);
    this.settle();
  }

  /** All that is derived until the run waits. @throws WorkflowBug */
  settle(): void {
    if (!this.admits) return;
    const { run, events } = settle(this.current, (event, at) => this.#draft(event, at), this.admits);
    this.events.push(...events);
    this.current = run;
  }

  #draft(event: Event, { start, steps }: Run, eventId = this.ids.next()): RecordedEvent {
    const causationId = this.events.at(-1)?.eventId ?? start.eventId;
    const occurredAt = this.clock.now().toISOString();
    const { correlationId } = start.metadata;
    const metadata = { occurredAt, correlationId, causationId, actor: 'redial' };
    return draftEvent(event, { eventId, stream: start.stream, revision: steps.revision + 1, metadata });
  }
}

/** The envelope of an event that is about to be appended. */
export interface DraftPlace {
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/**
 * The event as a reader of the log will see it after the append, but for its position: data has passed through its JSON text.
 * Rules fold this and never the object that they made.
 */
export function draftEvent(event: Event, { eventId, stream, revision, metadata }: DraftPlace): RecordedEvent {
  return {
    type: event.type,
    data: JSON.parse(jsonText(event.data)) as object,
    eventId,
    schemaVersion: 1,
    stream,
    revision,
    position: '',
    occurredAt: metadata.occurredAt,
    metadata,
  };
}

/** The form in which the log appends it. The schema version is the codec's. */
export function toAppend({ eventId, type, data, metadata }: RecordedEvent): NewEvent {
  return { eventId, event: { type, data }, metadata };
}
