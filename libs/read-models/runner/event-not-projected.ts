import type { StoredEvent } from '#lib/event-store';
import { RedialError, thrownText } from '#lib/kernel';

/** A loop could not take an event, and has stopped before it. */
export class EventNotProjected extends RedialError {
  constructor(
    projection: string,
    readonly event: StoredEvent,
    cause: unknown,
  ) {
    super(
      `projection ${projection} cannot take event ${event.type} at ${event.stream} revision ${event.revision}`,
      thrownText(cause),
      'Remove the cause: the event is retried at least once a minute, and at a restart',
      { cause },
    );
  }
}
