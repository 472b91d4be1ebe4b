import type { NewEvent } from '#lib/event-store';
import { type Event, type EventMetadata, jsonText, type RecordedEvent } from '#lib/kernel';

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
